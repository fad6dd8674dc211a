package io.flinkfluss.storage.server.replication;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * How much is written to each group lately. Every replica applies the same bytes, so any node knows
 * it of all groups. {@link #look} is called once a second; older seconds count less and less, half
 * as much after 20 seconds.
 */
final class GroupLoads {
    private static final double KEPT = 0.966;

    private final Collection<ReplicatedGroup> groups;

    /** Guards the fields below. */
    private final Object lock = new Object();

    private final Map<String, Long> seen = new HashMap<>();
    private final Map<String, Double> rates = new HashMap<>();

    GroupLoads(Collection<ReplicatedGroup> groups) {
        this.groups = groups;
    }

    void look() {
        synchronized (lock) {
            for (ReplicatedGroup group : groups) {
                long applied = group.bytesApplied();
                long added = applied - seen.getOrDefault(group.name(), applied);
                seen.put(group.name(), applied);
                double rate = rates.getOrDefault(group.name(), 0.0);
                rates.put(group.name(), KEPT * rate + (1 - KEPT) * added);
            }
        }
    }

    /** Bytes per second, by group. */
    Map<String, Long> perSecond() {
        synchronized (lock) {
            Map<String, Long> rounded = new TreeMap<>();
            groups.forEach(
                    group ->
                            rounded.put(
                                    group.name(),
                                    Math.round(rates.getOrDefault(group.name(), 0.0))));
            return rounded;
        }
    }
}

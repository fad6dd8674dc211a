package io.flinkfluss.verify.check;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Keys that only one client writes, one write after another: what they may hold in the end is what
 * was acknowledged last, or what was written after it without an answer. Any thread may use it.
 */
public final class OwnedKeys {
    private final Map<Integer, Set<Long>> possible = new HashMap<>();

    /** A write is on its way; 0 for a delete. */
    public synchronized void sent(int key, long value) {
        Set<Long> values = possible.computeIfAbsent(key, unused -> new HashSet<>(Set.of(0L)));
        values.add(value);
    }

    /** That value was acknowledged; what came before it is over. */
    public synchronized void acknowledged(int key, long value) {
        possible.put(key, new HashSet<>(Set.of(value)));
    }

    /** Compares with the final state of the bucket's keys. */
    public synchronized void check(
            Map<Integer, Long> state, IntPredicate inBucket, Findings findings) {
        possible.forEach(
                (key, values) -> {
                    long found = state.getOrDefault(key, 0L);
                    if (inBucket.test(key) && !values.contains(found)) {
                        findings.add(
                                Violation.LOST,
                                "key "
                                        + key
                                        + " holds "
                                        + Row.describeValue(found)
                                        + "; possible after its last acknowledged write are "
                                        + values.stream().map(Row::describeValue).toList());
                    }
                });
    }
}

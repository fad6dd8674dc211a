package io.flinkfluss.storage.server.replication;

import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which leadership a node should hand over so that leaders lie evenly on the nodes. The same for
 * all nodes, and each node decides only about what it leads itself, so no two decisions collide:
 * handing over makes the difference of two nodes smaller, never larger.
 */
final class LeaderBalance {
    /** Nodes that differ by less are even. */
    private static final int WORTH_A_MOVE = 2;

    private LeaderBalance() {}

    /** Hands the leadership of a group to a node. */
    record Move(String group, String target) {}

    /**
     * @param leaders by group; groups without a leader are missing
     * @param draining nodes that shall lead nothing
     * @param candidates nodes that can take over now
     */
    static Optional<Move> next(
            String self,
            Map<String, String> leaders,
            Set<String> draining,
            Collection<String> candidates) {
        Map<String, Integer> load = new TreeMap<>();
        leaders.values().forEach(leader -> load.merge(leader, 1, Integer::sum));
        Optional<String> target =
                candidates.stream()
                        .filter(node -> !node.equals(self) && !draining.contains(node))
                        .min(
                                Comparator.comparing((String node) -> load.getOrDefault(node, 0))
                                        .thenComparing(Comparator.naturalOrder()));
        int own = load.getOrDefault(self, 0);
        if (target.isEmpty() || own == 0) {
            return Optional.empty();
        }
        int difference = own - load.getOrDefault(target.get(), 0);
        if (difference < WORTH_A_MOVE && !draining.contains(self)) {
            return Optional.empty();
        }
        return leaders.entrySet().stream()
                .filter(entry -> entry.getValue().equals(self))
                .map(Map.Entry::getKey)
                .min(Comparator.naturalOrder())
                .map(group -> new Move(group, target.get()));
    }
}

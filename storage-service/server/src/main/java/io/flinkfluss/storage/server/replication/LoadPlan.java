package io.flinkfluss.storage.server.replication;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which leaders should move so that all nodes have about the same load of writes. The numbers of
 * leaders stay even too, because nodes keep them so by themselves: they differ by one at most,
 * unless they differ by more already. The same input gives the same plan.
 */
public final class LoadPlan {
    /** A step must lower the difference of two nodes by this part of the average load. */
    private static final double WORTH_A_STEP = 0.1;

    private static final int LARGEST_DIFFERENCE = 1;

    /** More than any load. */
    private static final double MUST = 1e15;

    private final Map<String, Long> loads;
    private final Map<String, String> leaders;
    private final Set<String> nodes;
    private final List<Move> moves = new ArrayList<>();

    /** Hands the leadership of a group to a node. */
    public record Move(String group, String target) {}

    /** Moves that belong together: one leader, or two that change places. */
    private record Step(List<Move> moves, double gain) {}

    private LoadPlan(Map<String, Long> loads, Map<String, String> leaders, Set<String> nodes) {
        this.loads = loads;
        this.leaders = new TreeMap<>(leaders);
        this.nodes = new TreeSet<>(nodes);
    }

    /**
     * @param loads by group
     * @param leaders by group; groups without a leader are missing and do not move
     * @param nodes that may lead
     * @return moves in the order in which they are to be made, none when all is even enough
     */
    public static List<Move> of(
            Map<String, Long> loads, Map<String, String> leaders, Set<String> nodes) {
        LoadPlan plan = new LoadPlan(loads, leaders, nodes);
        if (nodes.size() > 1) {
            plan.improve();
        }
        return List.copyOf(plan.moves);
    }

    private void improve() {
        double average =
                leaders.keySet().stream().mapToLong(this::load).sum() / (double) nodes.size();
        // Each step makes the sum of squares smaller, so it ends; the bound is for tiny gains.
        for (int steps = 2 * leaders.size(); steps > 0; steps--) {
            Optional<Step> best = best(average);
            if (best.isEmpty()) {
                return;
            }
            best.get().moves().forEach(move -> leaders.put(move.group(), move.target()));
            moves.addAll(best.get().moves());
        }
    }

    private Optional<Step> best(double average) {
        List<Step> steps = new ArrayList<>();
        for (String group : leaders.keySet()) {
            String from = leaders.get(group);
            for (String target : nodes) {
                if (target.equals(from)) {
                    continue;
                }
                if (!nodes.contains(from)
                        || count(target) + 1 - (count(from) - 1) <= LARGEST_DIFFERENCE) {
                    add(steps, from, target, load(group), List.of(new Move(group, target)));
                }
                for (String other : leaders.keySet()) {
                    if (leaders.get(other).equals(target) && nodes.contains(from)) {
                        add(
                                steps,
                                from,
                                target,
                                load(group) - load(other),
                                List.of(new Move(group, target), new Move(other, from)));
                    }
                }
            }
        }
        return steps.stream()
                .filter(step -> step.gain() > WORTH_A_STEP * average)
                .max(
                        Comparator.comparingDouble(Step::gain)
                                // Of equal steps the one with fewer moves, then the first.
                                .thenComparing(step -> -step.moves().size()));
    }

    private void add(List<Step> steps, String from, String target, long moved, List<Move> moves) {
        long before = Math.abs(total(from) - total(target));
        long after = Math.abs(total(from) - total(target) - 2 * moved);
        if (!nodes.contains(from)) {
            // What leads but may not, leaves first.
            steps.add(new Step(moves, MUST - total(target)));
        } else if (after < before) {
            steps.add(new Step(moves, before - after));
        }
    }

    private long load(String group) {
        return loads.getOrDefault(group, 0L);
    }

    private long total(String node) {
        return leaders.entrySet().stream()
                .filter(entry -> entry.getValue().equals(node))
                .mapToLong(entry -> load(entry.getKey()))
                .sum();
    }

    private long count(String node) {
        return leaders.values().stream().filter(node::equals).count();
    }
}

package io.flinkfluss.verify.fault;

import io.flinkfluss.verify.fault.FaultKind.Need;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which faults happen when: a function of the seed, the time and what the machine offers. Every
 * kind comes once before any comes twice.
 *
 * @param leftOut kinds that the machine or the cluster cannot do
 */
public record FaultPlan(List<PlannedFault> faults, Set<FaultKind> leftOut) {
    private static final int WARM_UP_MILLIS = 3_000;

    /** No fault begins so near to the end. */
    private static final int QUIET_END_MILLIS = 4_000;

    private static final int LEAST_GAP_MILLIS = 1_500;
    private static final int MORE_GAP_MILLIS = 1_500;

    public FaultPlan {
        faults = List.copyOf(faults);
    }

    /** What there is to do faults with. */
    public record Means(int nodes, boolean network, boolean ownDisks) {
        private boolean has(Need need) {
            return switch (need) {
                case NOTHING -> true;
                case SEVERAL_NODES -> nodes > 1;
                case NETWORK -> network && nodes > 1;
                case OWN_DISK -> ownDisks;
            };
        }
    }

    /** Draws a plan. */
    public static FaultPlan of(long seed, Duration time, Means means) {
        return of(seed, time, means, EnumSet.allOf(FaultKind.class));
    }

    /** Draws a plan of some kinds only. */
    public static FaultPlan of(long seed, Duration time, Means means, Set<FaultKind> wanted) {
        List<FaultKind> possible =
                wanted.stream().filter(kind -> means.has(kind.need())).sorted().toList();
        Random random = new Random(seed);
        List<PlannedFault> faults = new ArrayList<>();
        List<FaultKind> round = new ArrayList<>();
        long at = WARM_UP_MILLIS;
        while (!possible.isEmpty()) {
            if (round.isEmpty()) {
                round.addAll(possible);
                Collections.shuffle(round, random);
            }
            FaultKind kind = round.remove(0);
            long lasting =
                    1000L * kind.leastSeconds()
                            + random.nextInt(1000 * (kind.mostSeconds() - kind.leastSeconds()) + 1);
            if (at + lasting + QUIET_END_MILLIS > time.toMillis()) {
                break;
            }
            faults.add(
                    new PlannedFault(
                            faults.size() + 1,
                            Duration.ofMillis(at),
                            kind,
                            Duration.ofMillis(lasting),
                            random.nextLong()));
            at += lasting + LEAST_GAP_MILLIS + random.nextInt(MORE_GAP_MILLIS);
        }
        Set<FaultKind> leftOut =
                wanted.stream()
                        .filter(kind -> !means.has(kind.need()))
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(FaultKind.class)));
        return new FaultPlan(faults, leftOut);
    }
}

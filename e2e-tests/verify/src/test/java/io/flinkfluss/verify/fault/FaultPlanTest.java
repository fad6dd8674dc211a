package io.flinkfluss.verify.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.verify.fault.FaultPlan.Means;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class FaultPlanTest {
    private static final Means ALL = new Means(3, true, true);
    private static final Duration FIVE_MINUTES = Duration.ofSeconds(300);

    @Test
    void theSameSeedGivesTheSamePlan() {
        assertThat(FaultPlan.of(7, FIVE_MINUTES, ALL))
                .isEqualTo(FaultPlan.of(7, FIVE_MINUTES, ALL));
        assertThat(FaultPlan.of(7, FIVE_MINUTES, ALL))
                .isNotEqualTo(FaultPlan.of(8, FIVE_MINUTES, ALL));
    }

    @Test
    void fiveMinutesHaveThirtyFaultsAndEveryKind() {
        for (long seed = 0; seed < 200; seed++) {
            FaultPlan plan = FaultPlan.of(seed, FIVE_MINUTES, ALL);
            assertThat(plan.faults()).as("seed %s", seed).hasSizeGreaterThanOrEqualTo(30);
            assertThat(kinds(plan)).isEqualTo(EnumSet.allOf(FaultKind.class));
            assertThat(plan.leftOut()).isEmpty();
            Duration end = Duration.ZERO;
            for (PlannedFault fault : plan.faults()) {
                assertThat(fault.at()).isGreaterThan(end);
                end = fault.at().plus(fault.lasting());
            }
            assertThat(end).isLessThan(FIVE_MINUTES);
        }
    }

    @Test
    void whatTheMachineCannotDoIsLeftOutAndSaid() {
        FaultPlan plan = FaultPlan.of(7, FIVE_MINUTES, new Means(1, true, false));

        assertThat(plan.leftOut())
                .contains(FaultKind.POWER_CUT, FaultKind.DISK_FULL, FaultKind.ISOLATE_LEADER)
                .doesNotContainAnyElementsOf(kinds(plan));
        assertThat(kinds(plan)).contains(FaultKind.KILL_LEADER, FaultKind.TORN_WRITE);
    }

    @Test
    void choicesAreInRangeAndUseAllOfIt() {
        Set<Integer> seen =
                FaultPlan.of(3, Duration.ofHours(1), ALL).faults().stream()
                        .map(fault -> fault.choose(3, 1))
                        .collect(Collectors.toSet());

        assertThat(seen).containsExactlyInAnyOrder(0, 1, 2);
    }

    private static Set<FaultKind> kinds(FaultPlan plan) {
        return plan.faults().stream().map(PlannedFault::kind).collect(Collectors.toSet());
    }
}

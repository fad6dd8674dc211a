package io.flinkfluss.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.plan.Contender;
import org.junit.jupiter.api.Test;

final class TargetTest {
    @Test
    void moreIsBetterForRates() {
        Target target = Target.of(Measure.APPEND, Contender.FLUSS).orElseThrow();

        assertThat(target).hasToString("≥ 1.5");
        assertThat(target.isMetBy(1.5)).isTrue();
        assertThat(target.isMetBy(1.49)).isFalse();
    }

    @Test
    void lessIsBetterForTimes() {
        Target target = Target.of(Measure.LATENCY_P50, Contender.FLUSS).orElseThrow();

        assertThat(target).hasToString("≤ 1/30");
        assertThat(target.isMetBy(0.03)).isTrue();
        assertThat(target.isMetBy(0.04)).isFalse();
        assertThat(Target.of(Measure.IDLE_MEMORY, Contender.FLUSS).orElseThrow())
                .hasToString("≤ 1");
    }

    @Test
    void notEverythingHasATarget() {
        assertThat(Target.of(Measure.LATENCY_P50, Contender.KAFKA)).isEmpty();
        assertThat(Target.of(Measure.LOOKUP_ONE_P99, Contender.FLUSS)).isEmpty();
        assertThat(Target.of(Measure.SCAN_FILTERED, Contender.FLUSS)).isEmpty();
        assertThat(Target.of(Measure.LOOKUP_PREFIX, Contender.FLUSS)).isEmpty();
    }

    @Test
    void growthMayCostALittle() {
        assertThat(Target.GROWTH).hasToString("≤ 1.3");
        assertThat(Target.GROWTH.isMetBy(1.3)).isTrue();
        assertThat(Target.GROWTH.isMetBy(1.31)).isFalse();
    }
}

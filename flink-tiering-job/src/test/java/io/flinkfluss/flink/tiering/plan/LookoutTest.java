package io.flinkfluss.flink.tiering.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LookoutTest {
    private final Lookout lookout = new Lookout(5_000);

    @Test
    void theFirstLookIsDueAtOnceAndEachOtherTheIntervalAfterTheOneBeforeEnded() {
        assertThat(lookout.isDue(0)).isTrue();
        lookout.begin();
        assertThat(lookout.isDue(1_000_000)).isFalse();
        lookout.succeeded(1_000_000);

        assertThat(lookout.isDue(1_004_999)).isFalse();
        assertThat(lookout.isDue(1_005_000)).isTrue();
    }

    @Test
    void whileTheServiceIsAwayThePauseDoublesUpToTenSeconds() {
        assertThat(lookout.isServiceAway()).isFalse();
        assertThat(lookout.serviceAway(0)).isEqualTo(1_000);
        assertThat(lookout.isServiceAway()).isTrue();
        assertThat(lookout.isDue(999)).isFalse();
        assertThat(lookout.isDue(1_000)).isTrue();
        assertThat(lookout.serviceAway(1_000)).isEqualTo(2_000);
        for (int i = 0; i < 100; i++) {
            lookout.serviceAway(3_000);
        }
        assertThat(lookout.serviceAway(3_000)).isEqualTo(10_000);
        assertThat(lookout.failures()).isEqualTo(103);
    }

    @Test
    void theFirstAnswerEndsTheWait() {
        lookout.serviceAway(0);
        lookout.serviceAway(1_000);
        lookout.succeeded(3_000);

        assertThat(lookout.isServiceAway()).isFalse();
        assertThat(lookout.failures()).isZero();
        assertThat(lookout.isDue(8_000)).isTrue();
        assertThat(lookout.serviceAway(8_000)).isEqualTo(1_000);
    }

    @Test
    void anAnswerWithoutTablesIsAFailureOfAServiceThatIsThere() {
        lookout.serviceAway(0);

        assertThat(lookout.failed(1_000)).isEqualTo(2_000);
        assertThat(lookout.isServiceAway()).isFalse();
    }
}

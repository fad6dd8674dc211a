package io.flinkfluss.flink.tiering.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScheduleTest {
    private final Schedule schedule = new Schedule(10_000);

    @Test
    void aNewTableIsDueAtOnce() {
        assertThat(schedule.isDue(0)).isTrue();
    }

    @Test
    void theNextRoundBeginsEarlyEnoughToEndWithinTheFreshness() {
        schedule.begin(1_000);
        schedule.succeeded(3_000);

        assertThat(schedule.isDue(8_999)).isFalse();
        assertThat(schedule.isDue(9_000)).isTrue();

        schedule.begin(9_000);
        schedule.nothingToDo();
        assertThat(schedule.isDue(16_999)).isFalse();
        assertThat(schedule.isDue(17_000)).isTrue();
    }

    @Test
    void aSlowLakeGetsRoundsAtMostEveryHalfFreshness() {
        schedule.begin(0);
        schedule.succeeded(9_000);

        assertThat(schedule.isDue(4_999)).isFalse();
        assertThat(schedule.isDue(9_000)).isTrue();
    }

    @Test
    void rowsThatWereLeftAreTakenAtOnce() {
        schedule.begin(0);
        schedule.succeededPartly(4_000);

        assertThat(schedule.isDue(4_000)).isTrue();
    }

    @Test
    void thePauseAfterAFailureDoublesUpToAMinute() {
        schedule.begin(0);
        assertThat(schedule.failed(0)).isEqualTo(1_000);
        assertThat(schedule.isDue(999)).isFalse();
        assertThat(schedule.failed(0)).isEqualTo(2_000);
        for (int i = 0; i < 70; i++) {
            schedule.failed(0);
        }
        assertThat(schedule.failed(0)).isEqualTo(60_000);

        schedule.begin(0);
        schedule.succeeded(0);
        assertThat(schedule.failed(0)).isEqualTo(1_000);
    }
}

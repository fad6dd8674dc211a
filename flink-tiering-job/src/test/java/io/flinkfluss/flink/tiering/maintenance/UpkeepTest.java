package io.flinkfluss.flink.tiering.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UpkeepTest {
    private final Upkeep upkeep = new Upkeep();

    @Test
    void aTableIsTidiedAfterSomeRounds() {
        for (int round = 0; round < 5; round++) {
            assertThat(upkeep.isDue(0)).isFalse();
            upkeep.roundCommitted(0);
        }
        assertThat(upkeep.isDue(0)).isTrue();

        upkeep.begin();
        upkeep.roundCommitted(0);
        assertThat(upkeep.isDue(100_000)).isFalse();
        upkeep.end(false);
        assertThat(upkeep.isDue(0)).isFalse();
        assertThat(upkeep.isDue(100_000)).isTrue();
    }

    @Test
    void aTableThatFellQuietIsTidiedUntilThereIsNothingToDo() {
        upkeep.roundCommitted(0);
        assertThat(upkeep.isDue(29_999)).isFalse();
        assertThat(upkeep.isDue(30_000)).isTrue();
        upkeep.begin();
        upkeep.end(true);
        assertThat(upkeep.isDue(30_000)).isTrue();
        upkeep.begin();
        upkeep.end(false);
        assertThat(upkeep.isDue(1_000_000)).isFalse();
    }

    @Test
    void orphansAreLookedForAtFirstAndEveryHour() {
        assertThat(upkeep.takesOrphans(0)).isTrue();
        assertThat(upkeep.takesOrphans(3_599_999)).isFalse();
        assertThat(upkeep.takesOrphans(3_600_000)).isTrue();
    }
}

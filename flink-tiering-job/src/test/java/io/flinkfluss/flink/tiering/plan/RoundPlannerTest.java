package io.flinkfluss.flink.tiering.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.lake.LakeTables;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoundPlannerTest {
    private final TableInfo log = LakeTables.logTable(7, "events");
    private final TableInfo keyed = LakeTables.keyedTable(8, "users");

    @Test
    void theFirstRoundTakesAllThereIs() {
        Round round =
                RoundPlanner.plan(
                                log,
                                Optional.empty(),
                                false,
                                offsets(log, 0, 0),
                                offsets(log, 5, 0))
                        .orElseThrow();

        assertThat(round.number()).isEqualTo(1);
        assertThat(round.startOffsets()).isEmpty();
        assertThat(round.work()).containsExactly(new BucketRange(bucket(log, 0), 0, 5));
        assertThat(round.ranges()).hasSize(2);
        assertThat(round.rows()).isEqualTo(5);
    }

    @Test
    void aRoundBeginsWhereTheLakeEnds() {
        Round round =
                RoundPlanner.plan(
                                log,
                                Optional.of(snapshot(log, 3, 5, 1)),
                                true,
                                offsets(log, 2, 0),
                                offsets(log, 5, 4))
                        .orElseThrow();

        assertThat(round.number()).isEqualTo(4);
        assertThat(round.startOffsets()).isEqualTo(offsets(log, 5, 1));
        assertThat(round.work()).containsExactly(new BucketRange(bucket(log, 1), 1, 4));
    }

    @Test
    void withoutNewRowsThereIsNoRound() {
        assertThat(
                        RoundPlanner.plan(
                                log,
                                Optional.of(snapshot(log, 3, 5, 1)),
                                true,
                                offsets(log, 5, 0),
                                offsets(log, 5, 1)))
                .isEmpty();
        assertThat(
                        RoundPlanner.plan(
                                log,
                                Optional.empty(),
                                false,
                                offsets(log, 0, 0),
                                offsets(log, 0, 0)))
                .isEmpty();
    }

    @Test
    void aLogTableThatWasNeverTieredBeginsWithTheRowsItStillHas() {
        Round round =
                RoundPlanner.plan(
                                log,
                                Optional.empty(),
                                false,
                                offsets(log, 3, 0),
                                offsets(log, 9, 0))
                        .orElseThrow();

        assertThat(round.work()).containsExactly(new BucketRange(bucket(log, 0), 3, 9));
    }

    @Test
    void rowsThatAreGoneAreAnErrorAndNotAGap() {
        assertThatThrownBy(
                        () ->
                                RoundPlanner.plan(
                                        log,
                                        Optional.of(snapshot(log, 3, 5, 1)),
                                        true,
                                        offsets(log, 6, 0),
                                        offsets(log, 9, 1)))
                .hasMessageContaining("in the lake up to offset 5")
                .hasMessageContaining("begins at 6");
        // the lake table was dropped behind our back
        assertThatThrownBy(
                        () ->
                                RoundPlanner.plan(
                                        log,
                                        Optional.empty(),
                                        true,
                                        offsets(log, 6, 0),
                                        offsets(log, 9, 1)))
                .hasMessageContaining("begins at 6");
        // the state of a key cannot be told from half of its changes
        assertThatThrownBy(
                        () ->
                                RoundPlanner.plan(
                                        keyed,
                                        Optional.empty(),
                                        false,
                                        offsets(keyed, 6, 0),
                                        offsets(keyed, 9, 1)))
                .hasMessageContaining("begins at 6");
    }

    private static BucketId bucket(TableInfo table, int number) {
        return BucketId.of(table.id(), number);
    }

    private static Map<BucketId, Long> offsets(TableInfo table, long first, long second) {
        return Map.of(bucket(table, 0), first, bucket(table, 1), second);
    }

    private static LakeSnapshot snapshot(TableInfo table, long round, long first, long second) {
        return new LakeSnapshot(table.id(), round, 99, offsets(table, first, second), 0, 0);
    }
}

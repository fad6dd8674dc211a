package io.flinkfluss.lake;

import static io.flinkfluss.lake.LakeTables.keyedTable;
import static io.flinkfluss.lake.LakeTables.logTable;
import static io.flinkfluss.lake.LakeTables.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.TableInfo;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every lake format promises of rows. */
public abstract class LakeRowsContract extends LakeContractTools {
    @Test
    void creatingATableTwiceMakesItOnceAndItHoldsNothing() {
        TableInfo table = logTable(1, "events");
        lake().createTable(table);
        lake().createTable(table);

        assertThat(lake().latestSnapshot(table)).isEmpty();
        assertThat(lake().location(table)).contains("events");
    }

    @Test
    void aTableThatWasNeverMadeHasNoSnapshot() {
        assertThat(lake().latestSnapshot(logTable(1, "events"))).isEmpty();
    }

    @Test
    void roundsOfALogTableAddUp() {
        TableInfo table = logTable(1, "events");
        LakeCatalog lake = lake();
        lake.createTable(table);

        commitRows(lake, table, 1, 0, row(1L, "a"), row(2L, null));
        LakeSnapshot second = commitRows(lake, table, 2, 2, row(3L, "c"));

        assertThat(lake().latestSnapshot(table)).contains(second);
        assertThat(second.endOffset(bucket(table))).isEqualTo(3);
        assertThat(second.round()).isEqualTo(2);
        assertThat(second.tieredUpToMillis()).isEqualTo(1000);
        assertThat(read(lake(), table, second))
                .containsExactlyInAnyOrder(
                        List.of(1L, "a"), Arrays.asList(2L, null), List.of(3L, "c"));
    }

    @Test
    void everyTypeComesBackExactly() {
        TableInfo table = allTypes();
        LakeCatalog lake = lake();
        lake.createTable(table);
        RowView full =
                GenericRow.of(
                        true,
                        (byte) -1,
                        (short) -2,
                        Integer.MIN_VALUE,
                        Long.MAX_VALUE,
                        1.5f,
                        Double.NaN,
                        "ab",
                        "Zürich \uD83D\uDE80",
                        new byte[] {1, 2, 3},
                        new byte[] {(byte) 255, 0},
                        new BigDecimal("-1234567.89"),
                        new BigDecimal("-123456789012.345678"),
                        new BigDecimal("-12345678901234567890123456789.000000001"),
                        -719_162,
                        86_399_999,
                        LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
                        Instant.parse("2026-11-29T17:00:00.123456Z"),
                        LocalDateTime.of(2001, 1, 1, 0, 0));
        RowView empty = GenericRow.of(new Object[19]);

        LakeSnapshot snapshot = commitRows(lake, table, 1, 0, full, empty);

        List<DataType> types = types(table);
        assertThat(read(lake(), table, snapshot))
                .containsExactlyInAnyOrder(
                        LakeTables.values(full, types), LakeTables.values(empty, types));
    }

    @Test
    void changesOfAKeyFoldToItsNewestRow() {
        TableInfo table = keyedTable(1, "users");
        LakeCatalog lake = lake();
        lake.createTable(table);

        commit(
                lake,
                table,
                1,
                0,
                change(ChangeKind.INSERT, row("a", 1L)),
                change(ChangeKind.INSERT, row("b", 2L)),
                change(ChangeKind.INSERT, row("c", 3L)),
                change(ChangeKind.UPDATE_BEFORE, row("a", 1L)),
                change(ChangeKind.UPDATE_AFTER, row("a2", 1L)));
        LakeSnapshot first = lake.latestSnapshot(table).orElseThrow();
        commit(
                lake,
                table,
                2,
                5,
                change(ChangeKind.UPDATE_BEFORE, row("a2", 1L)),
                change(ChangeKind.UPDATE_AFTER, row("a3", 1L)),
                change(ChangeKind.UPDATE_BEFORE, row("a3", 1L)),
                change(ChangeKind.UPDATE_AFTER, row("a4", 1L)),
                change(ChangeKind.DELETE, row("b", 2L)),
                change(ChangeKind.INSERT, row("d", 4L)),
                change(ChangeKind.DELETE, row("d", 4L)),
                change(ChangeKind.DELETE, row("c", 3L)),
                change(ChangeKind.INSERT, row("c2", 3L)));
        LakeSnapshot second = lake.latestSnapshot(table).orElseThrow();

        assertThat(read(lake(), table, second))
                .containsExactlyInAnyOrder(List.of("a4", 1L), List.of("c2", 3L));
        // the pinned snapshot does not change
        assertThat(read(lake(), table, first))
                .containsExactlyInAnyOrder(List.of("a2", 1L), List.of("b", 2L), List.of("c", 3L));
        // deletes count in every projection, also without the key
        assertThat(read(lake(), table, second, 0))
                .containsExactlyInAnyOrder(List.of("a4"), List.of("c2"));
        assertThat(read(lake(), table, second, new int[0])).hasSize(2);
    }

    @Test
    void aRoundMayLeaveNoRows() {
        TableInfo table = keyedTable(1, "users");
        LakeCatalog lake = lake();
        lake.createTable(table);

        LakeSnapshot snapshot =
                commit(
                        lake,
                        table,
                        1,
                        0,
                        change(ChangeKind.INSERT, row("a", 1L)),
                        change(ChangeKind.DELETE, row("a", 1L)));

        assertThat(snapshot.endOffset(bucket(table))).isEqualTo(2);
        assertThat(read(lake(), table, snapshot)).isEmpty();
    }

    @Test
    void columnsAreReadInTheAskedOrder() {
        TableInfo table = logTable(1, "events");
        LakeCatalog lake = lake();
        lake.createTable(table);
        LakeSnapshot snapshot = commitRows(lake, table, 1, 0, row(1L, "a"), row(2L, "b"));

        assertThat(read(lake(), table, snapshot, 1, 0))
                .containsExactlyInAnyOrder(List.of("a", 1L), List.of("b", 2L));
        assertThat(read(lake(), table, snapshot, new int[0])).containsExactly(List.of(), List.of());
    }

    @Test
    void splitsSayTheirBucket() {
        TableInfo table = keyedTable(1, "users");
        LakeCatalog lake = lake();
        lake.createTable(table);
        LakeSnapshot snapshot = commit(lake, table, 1, 0, change(ChangeKind.INSERT, row("a", 1L)));

        assertThat(lake.reader(table).plan(snapshot, null))
                .singleElement()
                .satisfies(split -> assertThat(split.bucket()).isEqualTo(1))
                .satisfies(split -> assertThat(split.rows()).isEqualTo(1))
                .satisfies(split -> assertThat(split.bytes()).isPositive());
    }
}

package io.flinkfluss.lake;

import static io.flinkfluss.lake.LakeTables.keyedTable;
import static io.flinkfluss.lake.LakeTables.logTable;
import static io.flinkfluss.lake.LakeTables.schema;
import static io.flinkfluss.lake.LakeTables.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every lake format promises. */
public abstract class LakeFormatContract {
    private final List<LakeCatalog> opened = new ArrayList<>();

    /** A new connection to this test's own, at first empty lake. */
    protected abstract LakeCatalog openLake();

    protected final LakeCatalog lake() {
        LakeCatalog lake = openLake();
        opened.add(lake);
        return lake;
    }

    @AfterEach
    void closeLakes() {
        opened.forEach(LakeCatalog::close);
    }

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

    @Test
    void aCrashBeforeTheCommitLeavesNoTrace() {
        TableInfo table = logTable(1, "events");
        LakeCatalog lake = lake();
        lake.createTable(table);
        LakeSnapshot first = commitRows(lake, table, 1, 0, row(1L, "a"));
        write(lake, table, 1, change(ChangeKind.INSERT, row(2L, "lost")));

        LakeCatalog restarted = lake();
        assertThat(restarted.latestSnapshot(table)).contains(first);
        LakeSnapshot second = commitRows(restarted, table, 2, 1, row(2L, "b"));

        assertThat(read(lake(), table, second))
                .containsExactlyInAnyOrder(List.of(1L, "a"), List.of(2L, "b"));
    }

    @Test
    void aRoundThatWasCommittedIsNotCommittedAgain() {
        TableInfo table = logTable(1, "events");
        LakeCatalog lake = lake();
        lake.createTable(table);
        byte[] files = write(lake, table, 0, change(ChangeKind.INSERT, row(1L, "a")));
        Map<BucketId, Long> end = Map.of(bucket(table), 1L);
        LakeSnapshot first = lake.committer(table).commit(1, Map.of(), end, 1000, List.of(files));

        LakeCatalog restarted = lake();
        assertThat(restarted.latestSnapshot(table)).contains(first);
        assertStale(
                () -> restarted.committer(table).commit(1, Map.of(), end, 1000, List.of(files)));
        assertStale(
                () -> restarted.committer(table).commit(2, Map.of(), end, 1000, List.of(files)));
        assertThat(read(lake(), table, first)).containsExactly(List.of(1L, "a"));
    }

    @Test
    void aZombieCannotCommitAfterItsSuccessor() {
        TableInfo table = keyedTable(1, "users");
        LakeCatalog zombie = lake();
        zombie.createTable(table);
        LakeSnapshot first = commit(zombie, table, 1, 0, change(ChangeKind.INSERT, row("a", 1L)));
        LakeCommitter zombieCommitter = zombie.committer(table);
        byte[] late = write(zombie, table, 1, change(ChangeKind.DELETE, row("a", 1L)));

        LakeSnapshot second = commit(lake(), table, 2, 1, change(ChangeKind.INSERT, row("b", 2L)));
        assertStale(
                () ->
                        zombieCommitter.commit(
                                2,
                                first.endOffsets(),
                                Map.of(bucket(table), 2L),
                                1000,
                                List.of(late)));
        zombieCommitter.discard(List.of(late));

        assertThat(lake().latestSnapshot(table)).contains(second);
        assertThat(read(lake(), table, second))
                .containsExactlyInAnyOrder(List.of("a", 1L), List.of("b", 2L));
    }

    @Test
    void ofTwoCommittersThatRaceEachRoundExactlyOneWins() throws Exception {
        TableInfo table = logTable(1, "events");
        lake().createTable(table);
        int rounds = 8;
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Map<BucketId, Long> start = Map.of();
            for (int round = 1; round <= rounds; round++) {
                CountDownLatch begin = new CountDownLatch(1);
                List<Future<Boolean>> racers = new ArrayList<>();
                Map<BucketId, Long> end = Map.of(bucket(table), (long) round);
                for (int racer = 0; racer < 2; racer++) {
                    LakeCatalog lake = lake();
                    byte[] files =
                            write(
                                    lake,
                                    table,
                                    round - 1,
                                    change(ChangeKind.INSERT, row((long) round, "racer " + racer)));
                    int number = round;
                    Map<BucketId, Long> from = start;
                    racers.add(
                            threads.submit(
                                    () -> {
                                        begin.await();
                                        return wins(lake, table, number, from, end, files);
                                    }));
                }
                begin.countDown();
                int winners = 0;
                for (Future<Boolean> racer : racers) {
                    winners += racer.get(60, TimeUnit.SECONDS) ? 1 : 0;
                }
                assertThat(winners).as("winners of round %d", round).isEqualTo(1);
                start = end;
            }
        } finally {
            threads.shutdownNow();
        }
        LakeSnapshot last = lake().latestSnapshot(table).orElseThrow();
        assertThat(read(lake(), table, last, 0))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, rounds)
                                .mapToObj(id -> List.<Object>of((long) id))
                                .toList());
    }

    private static boolean wins(
            LakeCatalog lake,
            TableInfo table,
            int round,
            Map<BucketId, Long> start,
            Map<BucketId, Long> end,
            byte[] files) {
        try {
            lake.committer(table).commit(round, start, end, 1000, List.of(files));
            return true;
        } catch (StorageException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.STALE_LAKE_PROGRESS);
            return false;
        }
    }

    @Test
    void aRoundOfADroppedTableDoesNotReachItsSuccessor() {
        TableInfo old = logTable(1, "events");
        LakeCatalog lake = lake();
        lake.createTable(old);
        byte[] files = write(lake, old, 0, change(ChangeKind.INSERT, row(1L, "old")));
        LakeCommitter oldCommitter = lake.committer(old);
        TableInfo successor = logTable(2, "events");
        lake.dropTable(old);
        lake.createTable(successor);

        assertThatThrownBy(
                        () ->
                                oldCommitter.commit(
                                        1, Map.of(), Map.of(bucket(old), 1L), 1000, List.of(files)))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_NOT_FOUND));
        assertThat(lake().latestSnapshot(successor)).isEmpty();
        LakeSnapshot first = commitRows(lake(), successor, 1, 0, row(100L, "new"));
        assertThat(read(lake(), successor, first)).containsExactly(List.of(100L, "new"));
    }

    @Test
    void aLakeTableWithRowsOfAnotherTableIsNotTakenOver() {
        TableInfo old = logTable(1, "events");
        LakeCatalog lake = lake();
        lake.createTable(old);
        commitRows(lake, old, 1, 0, row(1L, "old"));
        TableInfo successor = logTable(2, "events");

        assertCode(ErrorCode.TABLE_ALREADY_EXISTS, () -> lake().createTable(successor))
                .hasMessageContaining("holds rows");
        assertCode(
                ErrorCode.TABLE_ALREADY_EXISTS,
                () -> lake().validate(successor.path(), successor.descriptor()));
        assertThat(lake().latestSnapshot(successor)).isEmpty();
    }

    @Test
    void aTableOfAnotherClusterWithTheSameNameAndNumberIsNotTheSame() {
        TableInfo first = logTable(1, "events");
        TableInfo second = createdLater(first);
        LakeCatalog lake = lake();
        lake.createTable(first);
        // As long as it is empty, whoever comes last has it, and the other one learns of that.
        lake().createTable(second);
        assertCode(ErrorCode.TABLE_NOT_FOUND, () -> lake.newWriter(first, bucket(first)))
                .hasMessageContaining("another cluster");
        commitRows(lake(), second, 1, 0, row(1L, "second"));

        assertThat(lake().latestSnapshot(first)).isEmpty();
        assertCode(ErrorCode.TABLE_ALREADY_EXISTS, () -> lake().createTable(first));
        assertThat(read(lake(), second, lake().latestSnapshot(second).orElseThrow()))
                .containsExactly(List.of(1L, "second"));
    }

    private static TableInfo createdLater(TableInfo table) {
        long later = table.createdAtMillis() + 1;
        return new TableInfo(table.id(), table.path(), table.descriptor(), later, later);
    }

    @Test
    void anEmptyLakeTableIsTakenOverOnlyWithAnEqualShape() {
        LakeCatalog lake = lake();
        lake.createTable(logTable(1, "events"));
        TableInfo equal = logTable(2, "events");
        lake().validate(equal.path(), equal.descriptor());
        lake().createTable(equal);
        commitRows(lake(), equal, 1, 0, row(1L, "a"));

        lake.createTable(logTable(3, "others"));
        TableInfo different = keyedTable(4, "others");
        assertCode(ErrorCode.TABLE_ALREADY_EXISTS, () -> lake().createTable(different))
                .hasMessageContaining("another shape");
    }

    @Test
    void namesThatDifferOnlyInCaseAreRefused() {
        lake().createTable(logTable(1, "events"));

        assertCode(ErrorCode.INVALID_NAME, () -> lake().createTable(logTable(2, "Events")))
                .hasMessageContaining("events");
    }

    @Test
    void offsetsDoNotGoBack() {
        TableInfo table = logTable(1, "events");
        LakeCatalog lake = lake();
        lake.createTable(table);
        LakeSnapshot first = commitRows(lake, table, 1, 0, row(1L, "a"));

        assertCode(
                ErrorCode.INVALID_REQUEST,
                () -> lake.committer(table).commit(2, first.endOffsets(), Map.of(), 0, List.of()));
    }

    @Test
    void anAbortedWriterLeavesTheTableAsItWas() {
        TableInfo table = logTable(1, "events");
        LakeCatalog lake = lake();
        lake.createTable(table);
        LakeWriter writer = lake.newWriter(table, bucket(table));
        writer.write(ChangeKind.INSERT, row(1L, "a"), 0, 1000);
        writer.abort();

        assertThat(lake.latestSnapshot(table)).isEmpty();
        assertThat(lake.newWriter(table, bucket(table)).complete()).isEmpty();
    }

    // ---- what the tests are written with

    protected record Change(ChangeKind kind, RowView row) {}

    protected static Change change(ChangeKind kind, RowView row) {
        return new Change(kind, row);
    }

    protected static RowView row(Object... values) {
        return GenericRow.of(values);
    }

    protected static BucketId bucket(TableInfo table) {
        return table.buckets().get(table.buckets().size() - 1);
    }

    protected static List<DataType> types(TableInfo table) {
        return table.schema().columns().stream().map(column -> column.type()).toList();
    }

    protected static byte[] write(
            LakeCatalog lake, TableInfo table, long firstOffset, Change... changes) {
        LakeWriter writer = lake.newWriter(table, bucket(table));
        long offset = firstOffset;
        for (Change change : changes) {
            writer.write(change.kind(), change.row(), offset++, 1000);
        }
        return writer.complete();
    }

    protected static LakeSnapshot commit(
            LakeCatalog lake, TableInfo table, long round, long firstOffset, Change... changes) {
        byte[] files = write(lake, table, firstOffset, changes);
        return lake.committer(table)
                .commit(
                        round,
                        round == 1 ? Map.of() : Map.of(bucket(table), firstOffset),
                        Map.of(bucket(table), firstOffset + changes.length),
                        1000,
                        List.of(files));
    }

    protected static LakeSnapshot commitRows(
            LakeCatalog lake, TableInfo table, long round, long firstOffset, RowView... rows) {
        return commit(
                lake,
                table,
                round,
                firstOffset,
                Arrays.stream(rows)
                        .map(row -> new Change(ChangeKind.INSERT, row))
                        .toArray(Change[]::new));
    }

    protected static List<List<Object>> read(
            LakeCatalog lake, TableInfo table, LakeSnapshot snapshot, int... columns) {
        int[] asked = columns;
        List<DataType> all = types(table);
        List<DataType> read = Arrays.stream(asked).mapToObj(all::get).toList();
        return readColumns(lake, table, snapshot, asked, read);
    }

    protected static List<List<Object>> read(
            LakeCatalog lake, TableInfo table, LakeSnapshot snapshot) {
        return readColumns(lake, table, snapshot, null, types(table));
    }

    private static List<List<Object>> readColumns(
            LakeCatalog lake,
            TableInfo table,
            LakeSnapshot snapshot,
            int[] columns,
            List<DataType> types) {
        List<List<Object>> values = new ArrayList<>();
        LakeReader reader = lake.reader(table);
        for (LakeSplit split : reader.plan(snapshot, columns)) {
            try (LakeRows rows = reader.read(split, columns)) {
                while (rows.hasNext()) {
                    values.add(LakeTables.values(rows.next(), types));
                }
            }
        }
        return values;
    }

    private static void assertStale(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertCode(ErrorCode.STALE_LAKE_PROGRESS, call);
    }

    protected static org.assertj.core.api.AbstractThrowableAssert<?, ?> assertCode(
            ErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }

    /** One column of every type that every format holds. */
    protected static TableInfo allTypes() {
        return table(
                1,
                "types",
                schema(
                        List.of(),
                        "b",
                        DataType.of(TypeRoot.BOOLEAN),
                        "i8",
                        DataType.of(TypeRoot.TINYINT),
                        "i16",
                        DataType.of(TypeRoot.SMALLINT),
                        "i32",
                        DataType.of(TypeRoot.INT),
                        "i64",
                        DataType.of(TypeRoot.BIGINT),
                        "f32",
                        DataType.of(TypeRoot.FLOAT),
                        "f64",
                        DataType.of(TypeRoot.DOUBLE),
                        "c",
                        DataType.of(TypeRoot.CHAR, 2),
                        "s",
                        DataType.of(TypeRoot.STRING),
                        "fixed",
                        DataType.of(TypeRoot.BINARY, 3),
                        "bytes",
                        DataType.of(TypeRoot.BYTES),
                        "d9",
                        DataType.decimal(9, 2),
                        "d18",
                        DataType.decimal(18, 6),
                        "d38",
                        DataType.decimal(38, 9),
                        "date",
                        DataType.of(TypeRoot.DATE),
                        "time",
                        DataType.of(TypeRoot.TIME, 3),
                        "ts",
                        DataType.of(TypeRoot.TIMESTAMP, 6),
                        "ltz",
                        DataType.of(TypeRoot.TIMESTAMP_LTZ, 6),
                        "ts0",
                        DataType.of(TypeRoot.TIMESTAMP, 0)),
                List.of(),
                2);
    }
}

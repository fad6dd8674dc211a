package io.flinkfluss.lake;

import static io.flinkfluss.lake.LakeTables.keyedTable;
import static io.flinkfluss.lake.LakeTables.logTable;
import static io.flinkfluss.lake.LakeTables.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What every lake format promises: of rows, and here of rounds, of those who commit, and of owners.
 */
public abstract class LakeFormatContract extends LakeRowsContract {
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
}

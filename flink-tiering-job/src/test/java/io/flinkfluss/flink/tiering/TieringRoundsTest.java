package io.flinkfluss.flink.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.flink.connection.TableHandle;
import io.flinkfluss.flink.tiering.commit.CommittedRound;
import io.flinkfluss.flink.tiering.commit.RoundCommit;
import io.flinkfluss.flink.tiering.plan.BucketRange;
import io.flinkfluss.flink.tiering.plan.Round;
import io.flinkfluss.flink.tiering.write.BucketTask;
import io.flinkfluss.flink.tiering.write.WrittenBucket;
import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.lake.LakeTables;
import io.flinkfluss.storage.api.LakeProgress;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole rounds, step by step on the test's thread, with a death at each point between. */
class TieringRoundsTest {
    private final TestLake test = new TestLake();
    private final AtomicLong clock = new AtomicLong(1_000);

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void rowsAndChangesReachTheLakeRoundByRound() {
        TableInfo events = test.create(LakeTables.logTable(0, "events"));
        TableInfo users = test.create(LakeTables.keyedTable(0, "users"));
        try (TieringBackend job = new TieringBackend(test.options())) {
            assertThat(job.lakeTables()).containsExactly(events, users);
            test.append(events, 0, GenericRow.of(1L, "a"), GenericRow.of(2L, null));
            test.append(events, 1, GenericRow.of(3L, "c"));
            test.upsert(users, 0, GenericRow.of("ann", 1L), GenericRow.of("bob", 2L));
            run(job, events);
            run(job, users);
            test.append(events, 0, GenericRow.of(4L, "d"));
            test.upsert(users, 0, GenericRow.of("anna", 1L));
            test.delete(users, 0, GenericRow.of("bob", 2L));
            LakeSnapshot second = run(job, events);
            run(job, users);

            assertThat(test.rows(events)).hasSize(4).contains(List.of(4L, "d"));
            assertThat(test.rows(users)).containsExactly(List.of("anna", 1L));
            assertThat(second.round()).isEqualTo(2);
            assertThat(test.service().latest(events.id())).contains(second.toTiering());
            assertThat(job.plan(events, second.endOffsets())).isEmpty();
            assertThat(job.plan(events, Map.of())).isEmpty();
        }
    }

    @Test
    void aDeathBeforeTheCommitIsAsIfTheRoundNeverWas() {
        TableInfo events = test.create(LakeTables.logTable(0, "events"));
        test.append(events, 0, GenericRow.of(1L, "a"));
        try (TieringBackend dead = new TieringBackend(test.options())) {
            write(dead.plan(events, Map.of()).orElseThrow());
        }
        try (TieringBackend next = new TieringBackend(test.options())) {
            run(next, events);
        }

        assertThat(test.rows(events)).containsExactly(List.of(1L, "a"));
    }

    @Test
    void aDeathBetweenCommitAndRegistrationIsHealedFromTheLake() {
        TableInfo events = test.create(LakeTables.logTable(0, "events"));
        test.append(events, 0, GenericRow.of(1L, "a"));
        try (TieringBackend dead = new TieringBackend(test.options())) {
            Round round = dead.plan(events, Map.of()).orElseThrow();
            List<WrittenBucket> written = write(round);
            test.lake()
                    .committer(events)
                    .commit(
                            1,
                            Map.of(),
                            Map.of(
                                    events.buckets().get(0), 1L,
                                    events.buckets().get(1), 0L),
                            1_000,
                            written.stream().map(WrittenBucket::files).toList());
        }
        assertThat(test.service().latest(events.id())).isEmpty();
        try (TieringBackend next = new TieringBackend(test.options())) {
            assertThat(next.plan(events, Map.of())).isEmpty();
        }

        assertThat(test.service().latest(events.id()))
                .hasValueSatisfying(tiering -> assertThat(tiering.round()).isEqualTo(1));
        assertThat(test.rows(events)).containsExactly(List.of(1L, "a"));
    }

    @Test
    void aRoundThatTheServiceCouldNotBeToldOfIsToldAtTheNextPlan() {
        TableInfo events = test.create(LakeTables.logTable(0, "events"));
        test.append(events, 0, GenericRow.of(1L, "a"));
        try (TieringBackend job = new TieringBackend(test.options())) {
            Round round = job.plan(events, Map.of()).orElseThrow();
            CommittedRound committed =
                    new RoundCommit(test.service().admin(), new Unreachable(), test.lake())
                            .commit(round, write(round));
            assertThat(committed.registered()).isFalse();
            assertThat(test.service().latest(events.id())).isEmpty();

            assertThat(job.plan(events, Map.of())).isEmpty();
        }
        assertThat(test.service().latest(events.id()))
                .hasValueSatisfying(tiering -> assertThat(tiering.round()).isEqualTo(1));
        assertThat(test.rows(events)).containsExactly(List.of(1L, "a"));
    }

    @Test
    void readersAreToldTheLakeThatRoundsAreCommittedTo() {
        TableInfo events = test.create(LakeTables.logTable(0, "events"));
        test.append(events, 0, GenericRow.of(1L, "a"));
        try (TieringBackend job = new TieringBackend(test.options())) {
            run(job, events);

            assertThat(job.lakeSettings())
                    .isEqualTo(test.options().lakeSettings(test.service().admin().lakeSettings()));
            assertThat(
                            new TieringEvents.Copied(
                                    new TableHandle(events), Map.of("secret-key", "hidden")))
                    .asString()
                    .doesNotContain("hidden");
        }
    }

    @Test
    void aZombieIsRefusedAndItsFilesAreDeleted() {
        TableInfo events = test.create(LakeTables.logTable(0, "events"));
        test.append(events, 0, GenericRow.of(1L, "a"));
        try (TieringBackend zombie = new TieringBackend(test.options());
                TieringBackend successor = new TieringBackend(test.options())) {
            Round round = zombie.plan(events, Map.of()).orElseThrow();
            List<WrittenBucket> late = write(round);
            run(successor, events);

            assertCode(ErrorCode.STALE_LAKE_PROGRESS, () -> zombie.commit(round, late));
        }
        assertThat(test.rows(events)).containsExactly(List.of(1L, "a"));
        assertThat(test.warehouse().orphans()).isZero();
    }

    @Test
    void aLostAnswerNeitherRepeatsNorSkipsTheRound() {
        TableInfo events = test.create(LakeTables.logTable(0, "events"));
        test.append(events, 0, GenericRow.of(1L, "a"));
        try (TieringBackend job = new TieringBackend(test.options())) {
            test.warehouse().loseAnswers(1);
            assertCode(ErrorCode.TIMEOUT, () -> run(job, events));
            assertThat(job.plan(events, Map.of())).isEmpty();
            test.append(events, 0, GenericRow.of(2L, "b"));
            run(job, events);
        }

        assertThat(test.rows(events)).containsExactly(List.of(1L, "a"), List.of(2L, "b"));
    }

    @Test
    void aFailedCommitLeavesNoFilesAndIsRepeated() {
        TableInfo events = test.create(LakeTables.logTable(0, "events"));
        test.append(events, 0, GenericRow.of(1L, "a"));
        try (TieringBackend job = new TieringBackend(test.options())) {
            test.warehouse().failCommits(20);
            for (int i = 0; i < 20; i++) {
                assertCode(ErrorCode.UNREACHABLE, () -> run(job, events));
            }
            assertThat(test.warehouse().orphans()).isZero();
            run(job, events);
        }

        assertThat(test.rows(events)).containsExactly(List.of(1L, "a"));
    }

    @Test
    void aRoundOfADroppedTableIsDiscarded() {
        TableInfo old = test.create(LakeTables.logTable(0, "events"));
        test.append(old, 0, GenericRow.of(1L, "old"));
        try (TieringBackend job = new TieringBackend(test.options())) {
            Round round = job.plan(old, Map.of()).orElseThrow();
            List<WrittenBucket> written = write(round);
            test.service().admin().dropTable(old.path());
            TableInfo successor = test.create(LakeTables.logTable(0, "events"));
            test.append(successor, 0, GenericRow.of(100L, "new"));

            assertCode(ErrorCode.TABLE_NOT_FOUND, () -> job.commit(round, written));
            run(job, successor);
            assertThat(test.rows(successor)).containsExactly(List.of(100L, "new"));
        }
        assertThat(test.warehouse().orphans()).isZero();
    }

    @Test
    void aRangeEndsWhenItsTimeIsUpButNeverBetweenTheHalvesOfAnUpdate() {
        TableInfo users = test.create(LakeTables.keyedTable(0, "users"));
        test.upsert(users, 0, GenericRow.of("a", 1L));
        test.upsert(users, 0, GenericRow.of("b", 1L));
        test.upsert(users, 0, GenericRow.of("c", 1L));
        BucketRange all = new BucketRange(users.buckets().get(0), 0, 5);
        test.lake().createTable(users);
        try (BufferAllocator allocator = new RootAllocator();
                BucketTask task = task(users, all, 10, allocator)) {
            clock.addAndGet(100);
            finishSteps(task);
            assertThat(task.finish().end()).isEqualTo(1);
        }
        BucketRange rest = new BucketRange(users.buckets().get(0), 1, 5);
        try (BufferAllocator allocator = new RootAllocator();
                BucketTask task = task(users, rest, 10, allocator)) {
            clock.addAndGet(100);
            finishSteps(task);
            assertThat(task.finish().end()).isEqualTo(3);
        }
    }

    private LakeSnapshot run(TieringBackend job, TableInfo table) {
        Round round = job.plan(table, Map.of()).orElseThrow();
        return job.commit(round, write(round)).snapshot();
    }

    private List<WrittenBucket> write(Round round) {
        List<WrittenBucket> written = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator()) {
            for (BucketRange range : round.work()) {
                try (BucketTask task = task(round.table(), range, 60_000, allocator)) {
                    finishSteps(task);
                    written.add(task.finish());
                }
            }
        }
        return written;
    }

    private BucketTask task(
            TableInfo table, BucketRange range, long budgetMillis, BufferAllocator allocator) {
        return new BucketTask(
                table,
                range,
                budgetMillis,
                test.service().logReader(),
                test.lake(),
                allocator,
                clock::get,
                () -> {});
    }

    private static void finishSteps(BucketTask task) {
        int waits = 0;
        while (true) {
            switch (task.step()) {
                case COPIED -> waits = 0;
                case WAITING -> assertThat(++waits).as("steps without progress").isLessThan(1000);
                case DONE -> {
                    return;
                }
            }
        }
    }

    /** A service that went away after it was asked for the table. */
    private static final class Unreachable implements LakeProgress {
        @Override
        public Optional<LakeTiering> latest(TableId table) {
            throw new StorageException(ErrorCode.UNREACHABLE, "the service is away");
        }

        @Override
        public void register(LakeTiering tiering) {
            throw new StorageException(ErrorCode.UNREACHABLE, "the service is away");
        }
    }

    private static void assertCode(
            ErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }
}

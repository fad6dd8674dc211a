package io.flinkfluss.storage.server.shard;

import static io.flinkfluss.storage.server.shard.ShardFixture.EVENTS_0;
import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS;
import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS_0;
import static io.flinkfluss.storage.server.shard.ShardFixture.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.log.LogCursor;
import io.flinkfluss.storage.server.retention.LogRetention;
import io.flinkfluss.storage.server.runtime.SettableClock;
import io.flinkfluss.storage.server.runtime.SteadyTime;
import io.flinkfluss.storage.server.shard.ShardCommand.Append;
import io.flinkfluss.storage.server.shard.ShardCommand.OpenTable;
import io.flinkfluss.storage.server.shard.ShardCommand.Put;
import io.flinkfluss.storage.server.shard.ShardCommand.ReleaseSnapshot;
import io.flinkfluss.storage.server.shard.ShardCommand.TakeSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Retention of a real shard by a clock that the test sets. */
class LogRetentionTest {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @TempDir Path folder;
    private ShardFixture shard;
    private KeptShard kept;
    private final SettableClock clock = new SettableClock();
    private LogRetention retention;
    private final Map<TableId, TableInfo> tables = new HashMap<>();
    private final Map<TableId, LakeTiering> tierings = new HashMap<>();
    private long nextId;
    private int nextValue;

    @BeforeEach
    void open() {
        clock.advance(Duration.ofDays(1));
        shard = new ShardFixture(folder);
        kept = new KeptShard(shard);
        retention = retention();
        create(EVENTS_0.table(), ShardFixture.EVENTS_SCHEMA, Map.of("table.log.ttl", "1 h"));
        create(ROWS.id(), ShardFixture.ROWS_SCHEMA, Map.of("table.log.ttl", "1 h"));
        step();
        pass(PATIENCE);
    }

    @AfterEach
    void close() {
        shard.close();
    }

    private LogRetention retention() {
        return new LogRetention(
                kept,
                new LogRetention.Tables() {
                    @Override
                    public Optional<TableInfo> table(TableId table) {
                        return Optional.ofNullable(tables.get(table));
                    }

                    @Override
                    public Optional<LakeTiering> tiering(TableId table) {
                        return Optional.ofNullable(tierings.get(table));
                    }
                },
                new SteadyTime(clock),
                PATIENCE);
    }

    private void create(TableId id, Schema schema, Map<String, String> options) {
        TableDescriptor descriptor =
                new TableDescriptor(
                        schema, List.of(), schema.primaryKey(), 2, options, Map.of(), "");
        TableInfo table = new TableInfo(id, new TablePath("fluss", "t" + id), descriptor, 1, 1);
        tables.put(id, table);
        shard.apply(new OpenTable(table));
    }

    private void pass(Duration time) {
        clock.advance(time);
        shard.millis = clock.millis();
    }

    private void step() {
        shard.millis = clock.millis();
        retention.step();
    }

    /** Twice: what is ended by one step is given up by the next. */
    private void steps() {
        step();
        step();
    }

    /** Rows worth about this many segments. */
    private void append(int segments) {
        for (int i = 0; i < 4 * segments; i++) {
            shard.apply(new Append(EVENTS_0, WriterStamp.NONE, shard.events(nextId, 40)));
            nextId += 40;
        }
    }

    private void tiered(TableId table, BucketId bucket, long end) {
        tierings.put(table, new LakeTiering(table, end, end, Map.of(bucket, end), 1, 1));
    }

    private long start() {
        return shard.reads().logStart(EVENTS_0);
    }

    private long end() {
        return shard.reads().logEnd(EVENTS_0);
    }

    private long files() throws IOException {
        return Folders.list(folder.resolve("log/" + EVENTS_0.table() + "/0/0")).stream()
                .filter(file -> file.toString().endsWith(".log"))
                .count();
    }

    private LogCursor read(long from) {
        return shard.reads().openLog(new ScanRequest(EVENTS_0, from, ScanRequest.UNBOUNDED, null));
    }

    @Test
    void rowsThatAreTooOldAreGivenUpAndYoungerOnesStay() {
        append(3);
        long old = end();
        pass(Duration.ofMinutes(50));
        step();
        append(2);
        pass(Duration.ofMinutes(20));
        steps();

        assertThat(start()).isEqualTo(old);
        assertThat(shard.read(EVENTS_0, start()).get(0).baseOffset()).isEqualTo(old);
        assertThat(end()).isEqualTo(nextId);
    }

    /** Field case O-70. */
    @Test
    void whoAsksForGivenUpRowsIsToldWhatExists() {
        append(3);
        pass(Duration.ofHours(2));
        steps();
        append(1);

        assertThatThrownBy(() -> read(10))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("offset 10 of bucket")
                .hasMessageContaining("offsets " + start() + " to " + end() + " exist")
                .extracting(error -> ((StorageException) error).code())
                .isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE);
        assertThat(start()).isGreaterThan(10);
    }

    @Test
    void rowsOfAQuietBucketExpire() {
        append(1);
        pass(Duration.ofHours(2));
        steps();

        assertThat(start()).isEqualTo(end()).isEqualTo(nextId);
        append(1);
        assertThat(shard.read(EVENTS_0, start())).isNotEmpty();
    }

    @Test
    void aClockThatIsSetForwardMakesNothingOld() {
        append(3);
        clock.set(clock.millis() + Duration.ofDays(300).toMillis());
        steps();

        assertThat(start()).isZero();
    }

    @Test
    void aTableThatIsTieredKeepsWhatTheLakeDoesNotHold() {
        create(EVENTS_0.table(), ShardFixture.EVENTS_SCHEMA, lake());
        append(4);
        pass(Duration.ofHours(5));
        steps();
        assertThat(start()).as("never tiered").isZero();

        long half = end() / 2;
        tiered(EVENTS_0.table(), EVENTS_0, half);
        steps();
        assertThat(start()).as("a union read may have been planned before").isZero();
        pass(PATIENCE);
        steps();
        assertThat(start()).isPositive().isLessThanOrEqualTo(half);

        tiered(EVENTS_0.table(), EVENTS_0, end());
        steps();
        pass(PATIENCE);
        steps();
        assertThat(start()).isEqualTo(end());
    }

    @Test
    void theChangelogOfATieredTableStaysUntilItsFirstTiering() {
        create(ROWS.id(), ShardFixture.ROWS_SCHEMA, lake());
        shard.apply(new Put(ROWS_0, WriterStamp.NONE, rows(1, "a", 2, "b")));
        pass(Duration.ofDays(30));
        steps();

        assertThat(shard.reads().logStart(ROWS_0)).isZero();
    }

    @Test
    void theKeyValueStateOutlivesItsChangelog() {
        shard.apply(new Put(ROWS_0, WriterStamp.NONE, rows(1, "a", 2, "b")));
        pass(Duration.ofHours(2));
        steps();

        assertThat(shard.reads().logStart(ROWS_0)).isEqualTo(2);
        assertThat(shard.current(ROWS_0)).isEqualTo(Map.of(1, "1 a", 2, "2 b"));
    }

    private static Map<String, String> lake() {
        return Map.of("table.log.ttl", "1 h", "table.datalake.enabled", "true");
    }

    @Test
    void theChangelogAfterASnapshotStaysWhileTheSnapshotIsThere() {
        shard.apply(new Put(ROWS_0, WriterStamp.NONE, rows(1, "a")));
        shard.apply(new TakeSnapshot(ROWS.id(), 5));
        shard.apply(new Put(ROWS_0, WriterStamp.NONE, rows(2, "b")));
        // Longer than rows live, shorter than an unused snapshot does.
        create(ROWS.id(), ShardFixture.ROWS_SCHEMA, Map.of("table.log.ttl", "1 min"));
        pass(Duration.ofMinutes(30));
        steps();
        assertThat(shard.reads().logStart(ROWS_0)).isLessThanOrEqualTo(1);

        shard.apply(new ReleaseSnapshot(5));
        steps();
        assertThat(shard.reads().logStart(ROWS_0)).isEqualTo(2);
    }

    @Test
    void aLogThatIsTooLargeLosesItsOldestSegments() {
        create(
                EVENTS_0.table(),
                ShardFixture.EVENTS_SCHEMA,
                Map.of("table.log.ttl", "0", "table.log.max-bytes", "9000"));
        append(1);
        steps();
        assertThat(start()).isZero();

        append(6);
        steps();
        assertThat(start()).isPositive().isLessThan(end());
    }

    @Test
    void aReaderInTheMiddleSeesEveryRowHoweverSlowItIs() throws IOException {
        append(6);
        long expected = end();
        try (LogCursor reader = read(0)) {
            long next = reader.next().orElseThrow().nextOffset();
            pass(Duration.ofHours(2));
            steps();
            assertThat(start()).as("held for the reader").isZero();

            // It gets on so slowly that the rows are given up under it.
            while (reader.nextOffset() < expected) {
                pass(PATIENCE.dividedBy(2));
                steps();
                checkpoints(2);
                Optional<LogBatch> batch = reader.next();
                assertThat(batch).isPresent();
                assertThat(batch.get().baseOffset()).isEqualTo(next);
                next = batch.get().nextOffset();
            }
            assertThat(start()).isEqualTo(expected);
        }
        assertThatThrownBy(() -> read(0)).hasMessageContaining("was deleted by retention");
        checkpoints(2);
        assertThat(files()).isEqualTo(1);
    }

    /** Checkpoints that know whatever was given up, so that files are deleted. */
    private void checkpoints(int count) {
        for (int i = 0; i < count; i++) {
            shard.apply(new Put(ROWS_0, WriterStamp.NONE, rows(1, "at " + nextValue++)));
            shard.state().checkpoint().join();
        }
    }

    @Test
    void aReaderThatMakesNoProgressIsLeftBehindAndTold() throws IOException {
        append(6);
        try (LogCursor reader = read(0)) {
            assertThat(reader.next()).isPresent();
            step();
            pass(Duration.ofHours(2));
            steps();
            assertThat(start()).isEqualTo(end());
            for (int i = 0; i < 3; i++) {
                append(1);
                shard.state().checkpoint().join();
            }

            assertThatThrownBy(
                            () -> {
                                while (reader.nextOffset() < nextId) {
                                    assertThat(reader.next()).isPresent();
                                }
                            })
                    .hasMessageContaining("was deleted by retention");
        }
    }

    @Test
    void aReaderThatIsGoneMayComeBackForAWhile() {
        append(4);
        pass(Duration.ofHours(2));
        long next;
        try (LogCursor reader = read(0)) {
            next = reader.next().orElseThrow().nextOffset();
        }
        steps();
        assertThat(shard.read(EVENTS_0, next)).isNotEmpty();

        step();
        pass(PATIENCE);
        step();
        pass(PATIENCE);
        steps();
        assertThatThrownBy(() -> read(next)).hasMessageContaining("was deleted by retention");
    }

    @Test
    void aNewLeaderWaitsForReadersToComeBack() {
        append(3);
        pass(Duration.ofHours(2));
        kept.leads = false;
        steps();
        assertThat(start()).as("another node leads").isZero();
        kept.leads = true;
        steps();
        assertThat(start()).as("just elected").isZero();
        pass(PATIENCE);
        steps();
        assertThat(start()).isEqualTo(end());
    }

    @Test
    void filesStayUntilNoKeptCheckpointNeedsThem() throws IOException {
        append(4);
        shard.state().checkpoint().join();
        long before = files();
        pass(Duration.ofHours(2));
        steps();
        shard.state().checkpoint().join();
        assertThat(files()).as("the older checkpoint needs them").isGreaterThanOrEqualTo(before);

        damageNewestCheckpoint();
        shard.restart();
        assertThat(start()).isZero();
        long read = 0;
        for (LogBatch batch : shard.read(EVENTS_0, 0)) {
            assertThat(batch.baseOffset()).isEqualTo(read);
            read = batch.nextOffset();
        }
        assertThat(read).isEqualTo(nextId);
    }

    private void damageNewestCheckpoint() throws IOException {
        shard.stop();
        List<Path> checkpoints = Folders.list(folder.resolve("checkpoints"));
        Path manifest = checkpoints.get(checkpoints.size() - 1).resolve("manifest");
        byte[] bytes = Files.readAllBytes(manifest);
        bytes[bytes.length / 2] ^= 1;
        Files.write(manifest, bytes);
        shard.open();
        shard.stop();
        shard.open();
    }

    @Test
    void aRestartKnowsTheStartAndGivingUpAgainChangesNothing() throws IOException {
        append(4);
        pass(Duration.ofHours(2));
        steps();
        long start = start();
        ShardCommand trim =
                kept.proposed.stream()
                        .filter(ShardCommand.TrimLog.class::isInstance)
                        .reduce((first, last) -> last)
                        .orElseThrow();
        append(1);
        for (int i = 0; i < 2; i++) {
            shard.state().checkpoint().join();
            append(1);
        }
        shard.state().checkpoint().join();
        shard.restart();

        assertThat(start).isPositive();
        assertThat(start()).isEqualTo(start);
        assertThat(shard.apply(trim)).containsExactly(new ShardAnswer.Done());
        assertThat(start()).isEqualTo(start);
        assertThat(files()).isLessThanOrEqualTo(4);
        assertThat(shard.read(EVENTS_0, start)).isNotEmpty();
    }
}

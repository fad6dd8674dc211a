package io.flinkfluss.storage.server.shard;

import static io.flinkfluss.storage.server.shard.ShardFixture.EVENTS;
import static io.flinkfluss.storage.server.shard.ShardFixture.EVENTS_0;
import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS;
import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS_0;
import static io.flinkfluss.storage.server.shard.ShardFixture.ROWS_1;
import static io.flinkfluss.storage.server.shard.ShardFixture.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.KvBatchBuilder;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.wire.ArrowBatchReader;
import io.flinkfluss.storage.server.kv.KvCursor;
import io.flinkfluss.storage.server.log.LogCursor;
import io.flinkfluss.storage.server.shard.ShardCommand.Append;
import io.flinkfluss.storage.server.shard.ShardCommand.DropTable;
import io.flinkfluss.storage.server.shard.ShardCommand.OpenTable;
import io.flinkfluss.storage.server.shard.ShardCommand.Put;
import io.flinkfluss.storage.server.shard.ShardCommand.ReleaseSnapshot;
import io.flinkfluss.storage.server.shard.ShardCommand.TakeSnapshot;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardStateTest {
    private static final long HOUR = 60L * 60 * 1000;

    @TempDir Path folder;
    private ShardFixture shard;

    @BeforeEach
    void open() {
        shard = new ShardFixture(folder);
        shard.apply(new OpenTable(EVENTS), new OpenTable(ROWS));
    }

    @AfterEach
    void close() {
        shard.close();
    }

    private Append append(WriterStamp stamp, int rows) {
        return new Append(EVENTS_0, stamp, shard.events(0, rows));
    }

    private static Put put(Object... keysAndValues) {
        return new Put(ROWS_0, WriterStamp.NONE, rows(keysAndValues));
    }

    private static ShardAnswer stored(long offset) {
        return new ShardAnswer.Stored(new AppendResult(offset, false));
    }

    private static ErrorCode code(ShardAnswer answer) {
        return ((ShardAnswer.Refused) answer).code();
    }

    @Test
    void appendsGetDenseOffsetsAndAreReadInOrder() {
        List<ShardAnswer> answers =
                shard.apply(append(WriterStamp.NONE, 3), append(WriterStamp.NONE, 2));

        assertThat(answers).containsExactly(stored(0), stored(3));
        assertThat(shard.reads().logEnd(EVENTS_0)).isEqualTo(5);
        List<LogBatch> batches = shard.read(EVENTS_0, 0);
        assertThat(batches).extracting(LogBatch::baseOffset).containsExactly(0L, 3L);
        assertThat(batches).extracting(LogBatch::commitMillis).containsOnly(shard.millis);
        assertThat(shard.read(EVENTS_0, 4)).extracting(LogBatch::baseOffset).containsExactly(3L);
    }

    @Test
    void changelogTellsInsertsUpdatesAndDeletes() {
        shard.apply(put(1, "a", 2, "b"));
        shard.apply(put(1, "c", 2, null, 3, null));
        List<ShardAnswer> nothing = shard.apply(put(9, null));

        assertThat(shard.changelog(ROWS_0))
                .containsExactly("+I 1 a", "+I 2 b", "-U 1 a", "+U 1 c", "-D 2 b");
        assertThat(shard.current(ROWS_0)).isEqualTo(Map.of(1, "1 c"));
        assertThat(nothing).containsExactly(stored(5));
    }

    @Test
    void writesWithinOneEntrySeeEachOther() {
        shard.apply(put(1, "a", 1, "b"), put(1, "c"), put(1, null), put(1, "d"));

        assertThat(shard.changelog(ROWS_0))
                .containsExactly(
                        "+I 1 a", "-U 1 a", "+U 1 b", "-U 1 b", "+U 1 c", "-D 1 c", "+I 1 d");
        assertThat(shard.current(ROWS_0)).isEqualTo(Map.of(1, "1 d"));
    }

    @Test
    void aRefusedBatchLeavesNoTrace() {
        KvBatchBuilder builder = new KvBatchBuilder(1);
        builder.upsert(ShardFixture.key(1), ShardFixture.row(1, "x", 1));
        builder.upsert(ShardFixture.key(2), new byte[] {1, 2});
        KvBatch bad = builder.build();

        List<ShardAnswer> answers =
                shard.apply(put(1, "a"), new Put(ROWS_0, new WriterStamp(5, 0), bad), put(1, "b"));

        assertThat(answers.get(1)).isInstanceOf(ShardAnswer.Refused.class);
        assertThat(shard.changelog(ROWS_0)).containsExactly("+I 1 a", "-U 1 a", "+U 1 b");
        assertThat(shard.apply(new Put(ROWS_0, new WriterStamp(5, 0), rows(4, "d"))))
                .containsExactly(stored(3));
    }

    @Test
    void wrongRequestsAreRefusedWithTheirCode() {
        BucketId unknown = BucketId.of(new TableId(99), 0);
        BucketId tooHigh = BucketId.of(EVENTS.id(), 2);
        KvBatch otherSchema = new KvBatch(2, 1, rows(1, "a").entries());
        KvBatch large = rows(1, "x".repeat(70_000));

        List<ShardAnswer> answers =
                shard.apply(
                        new Append(unknown, WriterStamp.NONE, shard.events(0, 1)),
                        new Append(tooHigh, WriterStamp.NONE, shard.events(0, 1)),
                        new Append(ROWS_0, WriterStamp.NONE, shard.events(0, 1)),
                        new Put(EVENTS_0, WriterStamp.NONE, rows(1, "a")),
                        new Put(ROWS_0, WriterStamp.NONE, otherSchema),
                        new Put(ROWS_0, WriterStamp.NONE, large),
                        new TakeSnapshot(EVENTS.id(), 1),
                        new TakeSnapshot(new TableId(99), 1));

        assertThat(answers)
                .extracting(ShardStateTest::code)
                .containsExactly(
                        ErrorCode.TABLE_NOT_FOUND,
                        ErrorCode.INVALID_REQUEST,
                        ErrorCode.UNSUPPORTED,
                        ErrorCode.UNSUPPORTED,
                        ErrorCode.SCHEMA_MISMATCH,
                        ErrorCode.RECORD_TOO_LARGE,
                        ErrorCode.UNSUPPORTED,
                        ErrorCode.TABLE_NOT_FOUND);
        assertThat(shard.reads().logEnd(ROWS_0)).isZero();
    }

    @Test
    void aRetriedBatchIsStoredOnce() {
        WriterStamp first = new WriterStamp(3, 0);
        shard.apply(append(WriterStamp.NONE, 2), append(first, 4));

        List<ShardAnswer> again = shard.apply(append(first, 4));

        assertThat(again).containsExactly(new ShardAnswer.Stored(new AppendResult(2, true)));
        assertThat(shard.reads().logEnd(EVENTS_0)).isEqualTo(6);
    }

    @Test
    void offsetsOfTheLastEightBatchesOfAWriterAreRemembered() {
        for (int i = 0; i < 10; i++) {
            shard.apply(append(new WriterStamp(3, i), 1));
        }

        List<ShardAnswer> again =
                shard.apply(append(new WriterStamp(3, 1), 1), append(new WriterStamp(3, 2), 1));

        assertThat(again)
                .containsExactly(
                        new ShardAnswer.Stored(new AppendResult(-1, true)),
                        new ShardAnswer.Stored(new AppendResult(2, true)));
    }

    @Test
    void gapsAndStrangersAreRefused() {
        shard.apply(append(new WriterStamp(3, 0), 1));

        List<ShardAnswer> answers =
                shard.apply(append(new WriterStamp(3, 2), 1), append(new WriterStamp(4, 1), 1));

        assertThat(answers)
                .extracting(ShardStateTest::code)
                .containsExactly(ErrorCode.OUT_OF_ORDER_SEQUENCE, ErrorCode.UNKNOWN_WRITER);
    }

    @Test
    void aWriterIsForgottenAfterSevenDays() {
        shard.apply(append(new WriterStamp(3, 0), 1));
        shard.millis += 7 * 24 * HOUR;

        List<ShardAnswer> answers =
                shard.apply(append(new WriterStamp(3, 1), 1), append(new WriterStamp(3, 0), 1));

        assertThat(code(answers.get(0))).isEqualTo(ErrorCode.UNKNOWN_WRITER);
        assertThat(answers.get(1)).isEqualTo(stored(1));
    }

    @Test
    void offsetsAreFoundByTimeAndTimeNeverGoesBack() {
        shard.millis = 2_000_000;
        shard.apply(append(WriterStamp.NONE, 3));
        shard.millis = 1_000_000;
        shard.apply(append(WriterStamp.NONE, 3));
        shard.millis = 5_000_000;
        shard.apply(append(WriterStamp.NONE, 3));

        ShardReads reads = shard.reads();
        assertThat(reads.offsetAt(EVENTS_0, 0)).isZero();
        assertThat(reads.offsetAt(EVENTS_0, 2_000_000)).isZero();
        assertThat(reads.offsetAt(EVENTS_0, 2_000_001)).isEqualTo(6);
        assertThat(reads.offsetAt(EVENTS_0, 5_000_001)).isEqualTo(9);
        assertThat(reads.offsetAt(BucketId.of(EVENTS.id(), 1), 5)).isZero();
    }

    @Test
    void lookupsReturnRowsInTheOrderOfTheKeys() {
        shard.apply(put(1, "a", 2, "b"));

        List<Optional<EncodedRow>> found =
                shard.reads()
                        .lookup(
                                ROWS_0,
                                List.of(
                                        ShardFixture.key(2),
                                        ShardFixture.key(7),
                                        ShardFixture.key(1)));

        assertThat(found)
                .extracting(
                        row ->
                                row.map(
                                                r ->
                                                        ShardFixture.text(
                                                                ShardFixture.ROW_CODEC.decode(
                                                                        r.bytes())))
                                        .orElse("none"))
                .containsExactly("2 b", "none", "1 a");
        assertThat(shard.reads().lookup(ROWS_1, List.of(ShardFixture.key(1))))
                .containsExactly(Optional.empty());
        assertThatThrownBy(() -> shard.reads().lookup(EVENTS_0, List.of()))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED));
    }

    @Test
    void aSnapshotIsTheStateAtItsLogOffsets() {
        shard.apply(put(1, "a", 2, "b"));
        ShardAnswer answer =
                shard.apply(put(3, "c"), new TakeSnapshot(ROWS.id(), 77), put(1, null, 4, "d"))
                        .get(1);
        shard.apply(put(2, "z"));

        assertThat(answer)
                .isEqualTo(new ShardAnswer.Frozen(Map.of(ROWS_0, 3L), Map.of(ROWS_0, 3L)));
        assertThat(scan(ROWS_0, 77, new byte[0])).containsExactly("1 a", "2 b", "3 c");
        assertThat(scan(ROWS_0, 77, ShardFixture.key(1))).containsExactly("2 b", "3 c");
        assertThat(scan(ROWS_1, 77, new byte[0])).isEmpty();
        assertThat(shard.apply(new TakeSnapshot(ROWS.id(), 77))).containsExactly(answer);
    }

    @Test
    void aSnapshotIsFreedByReleaseAndByAnHourOfDisuse() {
        shard.apply(put(1, "a"), new TakeSnapshot(ROWS.id(), 1), new TakeSnapshot(ROWS.id(), 2));
        shard.apply(new ReleaseSnapshot(1));
        assertSnapshotGone(1);

        shard.millis += HOUR - 1;
        shard.apply(put(1, "b"));
        assertThat(scan(ROWS_0, 2, new byte[0])).containsExactly("1 a");
        shard.millis += HOUR - 1;
        shard.apply(put(1, "c"));
        assertThat(scan(ROWS_0, 2, new byte[0])).containsExactly("1 a");
        shard.millis += HOUR;
        shard.apply(put(1, "d"));
        assertSnapshotGone(2);
    }

    private void assertSnapshotGone(long id) {
        assertThatThrownBy(() -> scan(ROWS_0, id, new byte[0]))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_NOT_FOUND));
    }

    private List<String> scan(BucketId bucket, long snapshot, byte[] after) {
        List<String> rows = new ArrayList<>();
        KvScanRequest request = new KvScanRequest(bucket, snapshot, after, new int[] {1, 0});
        try (KvCursor cursor = shard.reads().openKv(request, shard.millis);
                ArrowBatchReader reader =
                        new ArrowBatchReader(
                                ShardFixture.ROWS_SCHEMA, new int[] {1, 0}, shard.allocator)) {
            for (Optional<RowBatch> batch = cursor.next();
                    batch.isPresent();
                    batch = cursor.next()) {
                reader.read(batch.get().metadata(), batch.get().body());
                for (int i = 0; i < batch.get().rowCount(); i++) {
                    rows.add(
                            reader.rows().setRow(i).intAt(1)
                                    + " "
                                    + new String(
                                            reader.rows().setRow(i).bytesAt(0),
                                            StandardCharsets.UTF_8));
                }
            }
        }
        return rows;
    }

    @Test
    void listenersHearOfRowsAndOfTheEnd() {
        AtomicInteger heard = new AtomicInteger();
        ShardReads.Registration registration =
                shard.reads().onCommit(ROWS_0, heard::incrementAndGet);

        shard.apply(put(1, "a"), put(2, "b"));
        assertThat(heard).hasValue(1);
        shard.apply(put(9, null));
        shard.apply(new Put(ROWS_1, WriterStamp.NONE, rows(1, "a")));
        assertThat(heard).hasValue(1);
        registration.close();
        shard.apply(put(3, "a"));
        assertThat(heard).hasValue(1);
        shard.reads().onCommit(ROWS_0, heard::incrementAndGet);
        shard.apply(new DropTable(ROWS.id()));
        assertThat(heard).hasValue(2);
    }

    @Test
    void aDroppedTableIsGoneForReadersAtOnce() {
        shard.apply(put(1, "a"), new TakeSnapshot(ROWS.id(), 1), append(WriterStamp.NONE, 1));
        try (LogCursor cursor =
                shard.reads().openLog(new ScanRequest(ROWS_0, 0, ScanRequest.UNBOUNDED, null))) {
            shard.apply(new DropTable(ROWS.id()), put(1, "b"));

            assertThatThrownBy(cursor::next)
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_NOT_FOUND));
        }
        assertThat(shard.reads().knows(ROWS.id())).isFalse();
        assertThat(shard.reads().tables()).containsExactly(EVENTS.id());
        shard.apply(new OpenTable(ROWS));
        assertThat(shard.current(ROWS_0)).isEmpty();
        assertSnapshotGone(1);
        assertThat(shard.read(EVENTS_0, 0)).hasSize(1);
    }
}

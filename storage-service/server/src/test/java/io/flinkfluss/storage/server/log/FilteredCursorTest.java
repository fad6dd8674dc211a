package io.flinkfluss.storage.server.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ColumnPredicate;
import io.flinkfluss.storage.api.record.ColumnPredicate.Operator;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads with a filter, of local segments and of copies whose bytes come late. */
class FilteredCursorTest {
    private static final BucketId BUCKET = BucketId.of(new TableId(5), 0);
    private static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(1, "id", DataType.of(TypeRoot.BIGINT).notNull()),
                            Column.of(2, "text", DataType.of(TypeRoot.STRING))),
                    List.of());
    private static final int ROWS = 5;

    @TempDir Path folder;
    private final BufferAllocator allocator = new RootAllocator();
    private final LateObjects objects = new LateObjects();
    private LogStore store;
    private BucketLog log;

    enum Place {
        LOCAL,
        REMOTE
    }

    private void open(long segmentBytes) {
        store =
                LogStore.open(
                        folder, new LogConfig(segmentBytes, 3), Map.of(), objects, Runnable::run);
        log = store.obtain(BUCKET);
    }

    @AfterEach
    void close() {
        store.close();
        allocator.close();
    }

    /** A batch of five rows; the id of a row is its offset. */
    private void append(int textLength) {
        CompressionSettings plain = CompressionSettings.NONE;
        try (ArrowBatchWriter writer = new ArrowBatchWriter(SCHEMA, allocator, plain)) {
            for (int i = 0; i < ROWS; i++) {
                writer.write(GenericRow.of(log.appendedEnd() + i, "x".repeat(textLength)));
            }
            ArrowBatch batch = writer.finish();
            log.append(batch, ByteBuffer.allocate(0), WriterStamp.NONE, 1_000);
        }
        log.publish();
    }

    private void moveTo(Place place) throws IOException {
        if (place == Place.LOCAL) {
            return;
        }
        List<Segment> local = log.view().segments();
        for (Segment segment : local.subList(0, local.size() - 1)) {
            ByteArrayOutputStream object = new ByteArrayOutputStream();
            String name = "copy-" + segment.baseOffset();
            assertThat(log.addRemote(log.copy(segment.baseOffset(), name, object))).isTrue();
            objects.bytes.put(name, object.toByteArray());
        }
        log.trim(0, Long.MAX_VALUE);
        log.publish();
        log.deleteFiles(Long.MAX_VALUE);
        assertThat(log.view().segments()).hasSize(1);
    }

    private static LogFilter ids(Operator operator, Object... ids) {
        return new LogFilter(
                SCHEMA.id(), List.of(ColumnPredicate.of(SCHEMA.columns().get(0), operator, ids)));
    }

    private static ScanRequest scan(long start, long end, int... columns) {
        return new ScanRequest(BUCKET, start, end, columns.length == 0 ? null : columns);
    }

    /** To the end; what a cursor gives must tell of every offset in order. */
    private List<LogBatch> read(ScanRequest request) {
        List<LogBatch> batches = new ArrayList<>();
        long next = request.startOffset();
        try (LogCursor cursor = log.open(request, SCHEMA)) {
            for (int asked = 0; !cursor.isFinished() && cursor.nextOffset() < log.endOffset(); ) {
                assertThat(asked++).as("fetches without an end").isLessThan(10_000);
                Optional<LogBatch> batch = cursor.next();
                if (batch.isPresent()) {
                    assertThat(batch.get().firstCovered()).isLessThanOrEqualTo(next);
                    assertThat(batch.get().nextOffset()).isGreaterThan(next);
                    next = batch.get().nextOffset();
                    batches.add(batch.get());
                }
            }
            assertThat(next).isEqualTo(cursor.nextOffset());
        }
        return batches;
    }

    private static List<LogBatch> withRows(List<LogBatch> batches) {
        return batches.stream().filter(batch -> batch.rowCount() > 0).toList();
    }

    private static int bytes(List<LogBatch> batches) {
        return batches.stream().mapToInt(LogBatch::sizeInBytes).sum();
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void onlyBatchesThatMayMatchAreGiven(Place place) throws IOException {
        open(16 * 1024);
        for (int i = 0; i < 40; i++) {
            append(300);
        }
        moveTo(place);
        for (int[] columns : new int[][] {{}, {0}, {1, 0}}) {
            List<LogBatch> all = read(scan(0, 200, columns));
            assertThat(all).hasSize(40).allMatch(batch -> batch.leftOut() == 0);

            List<LogBatch> read =
                    read(scan(0, 200, columns).matching(ids(Operator.IN, 1L, 52L, 101L)));

            assertThat(withRows(read))
                    .extracting(LogBatch::baseOffset)
                    .containsExactly(0L, 50L, 100L);
            assertThat(bytes(read)).isEqualTo(bytes(List.of(all.get(0), all.get(10), all.get(20))));
            assertThat(withRows(read).get(1).body()).isEqualTo(all.get(10).body());
        }
    }

    @ParameterizedTest
    @EnumSource(Place.class)
    void anyRangeIsToldOfToItsEnd(Place place) throws IOException {
        open(2 * 1024);
        for (int i = 0; i < 24; i++) {
            append(20);
        }
        moveTo(place);
        for (long start = 0; start < 120; start += 3) {
            for (long end : new long[] {start + 1, start + 17, 120, ScanRequest.UNBOUNDED}) {
                List<LogBatch> none =
                        read(scan(start, end).matching(ids(Operator.GREATER, 1_000L)));
                assertThat(withRows(none)).isEmpty();
                assertThat(none.get(none.size() - 1).nextOffset())
                        .isGreaterThanOrEqualTo(Math.min(end, 120));
                List<LogBatch> first =
                        read(scan(start, end).matching(ids(Operator.LESS_OR_EQUAL, start)));
                assertThat(withRows(first)).hasSize(1);
            }
        }
    }

    @Test
    void aCursorAtTheTailTellsThatNothingMatched() {
        open(1 << 20);
        ScanRequest request = scan(0, ScanRequest.UNBOUNDED).matching(ids(Operator.IN, 27L));
        try (LogCursor cursor = log.open(request, SCHEMA)) {
            assertThat(cursor.next()).isEmpty();
            for (int i = 1; i <= 5; i++) {
                append(10);
                assertThat(cursor.next())
                        .contains(LogBatch.ofLeftOut(BUCKET, (long) i * ROWS, ROWS));
                assertThat(cursor.next()).isEmpty();
            }
            append(10);
            LogBatch found = cursor.next().orElseThrow();
            assertThat(found.rowCount()).isEqualTo(ROWS);
            assertThat(found.leftOut()).isZero();
        }
    }

    @Test
    void aLongWayWithoutAMatchIsToldInSteps() {
        open(64 << 20);
        for (int i = 0; i < 12; i++) {
            append(200_000);
        }
        List<LogBatch> read = read(scan(0, 60).matching(ids(Operator.IS_NULL)));
        assertThat(read).hasSizeBetween(2, 4);
        assertThat(bytes(read)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5})
    void statisticsAreNotBelievedBeforeTheChecksum(long segment) throws IOException {
        open(1);
        append(3);
        append(3);
        Path file = folder.resolve("5/0/0").resolve(String.format("%020d.log", segment));
        byte[] good = Files.readAllBytes(file);
        ScanRequest request = scan(0, 10).matching(ids(Operator.GREATER, 1_000L));
        for (int at = 0; at < good.length; at++) {
            byte[] bad = good.clone();
            bad[at] ^= (byte) (1 << at % 8);
            Files.write(file, bad);
            assertThatThrownBy(() -> read(request))
                    .as("byte %d", at)
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_DATA));
        }
        Files.write(file, good);
        assertThat(withRows(read(request))).isEmpty();
    }

    /** Remote storage in which each place is asked for twice: first the bytes are on their way. */
    private static final class LateObjects implements RemoteReads {
        private final Map<String, byte[]> bytes = new HashMap<>();
        private final Set<String> asked = new HashSet<>();

        @Override
        public boolean read(
                RemoteSegment segment, long position, ByteBuffer target, Runnable ready) {
            if (asked.add(segment.name() + " at " + position)) {
                ready.run();
                return false;
            }
            target.put(bytes.get(segment.name()), (int) position, target.remaining());
            return true;
        }
    }
}

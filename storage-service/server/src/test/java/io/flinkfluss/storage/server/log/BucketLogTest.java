package io.flinkfluss.storage.server.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.wire.ArrowBatchReader;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.api.wire.ArrowCompression;
import io.flinkfluss.storage.api.wire.ArrowRow;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BucketLogTest {
    private static final BucketId BUCKET = BucketId.of(new TableId(5), 0);
    private static final ByteBuffer ALL_INSERT = ByteBuffer.allocate(0);
    private static final Schema SCHEMA =
            new Schema(
                    1,
                    List.of(
                            Column.of(1, "id", DataType.of(TypeRoot.BIGINT).notNull()),
                            Column.of(2, "text", DataType.of(TypeRoot.STRING)),
                            Column.of(3, "number", DataType.of(TypeRoot.INT))),
                    List.of());

    @TempDir Path folder;
    private final BufferAllocator allocator = new RootAllocator();
    private LogStore store;
    private BucketLog log;
    private long rows;

    @BeforeEach
    void open() {
        open(4 * 1024, Map.of());
    }

    private void open(long segmentBytes, Map<BucketId, LogEnd> ends) {
        store =
                LogStore.open(
                        folder,
                        new LogConfig(segmentBytes, 3),
                        ends,
                        RemoteReads.NONE,
                        Runnable::run);
        log = store.obtain(BUCKET);
        rows = log.endOffset();
    }

    @AfterEach
    void close() {
        store.close();
        allocator.close();
    }

    private ArrowBatch batch(int count, ArrowCompression compression, int textLength) {
        Random random = new Random(rows);
        try (ArrowBatchWriter writer =
                new ArrowBatchWriter(SCHEMA, allocator, new CompressionSettings(compression, 1))) {
            for (int i = 0; i < count; i++) {
                StringBuilder text = new StringBuilder("row " + (rows + i) + " ");
                while (text.length() < textLength) {
                    text.append((char) ('a' + random.nextInt(26)));
                }
                writer.write(
                        GenericRow.of(
                                rows + i,
                                i % 7 == 3 ? null : text.toString(),
                                i % 3 == 0 ? null : random.nextInt()));
            }
            return writer.finish();
        }
    }

    private void append(int count) {
        append(batch(count, ArrowCompression.ZSTD, 0));
    }

    private void append(ArrowBatch batch) {
        log.append(batch, ALL_INSERT, WriterStamp.NONE, 1_000 + rows);
        rows += batch.rowCount();
        log.publish();
    }

    private List<LogBatch> read(long from, int... columns) {
        int[] wanted = columns.length == 0 ? null : columns;
        try (LogCursor cursor =
                log.open(new ScanRequest(BUCKET, from, ScanRequest.UNBOUNDED, wanted), SCHEMA)) {
            return readAll(cursor);
        }
    }

    private static List<LogBatch> readAll(LogCursor cursor) {
        List<LogBatch> batches = new ArrayList<>();
        for (Optional<LogBatch> batch = cursor.next(); batch.isPresent(); batch = cursor.next()) {
            batches.add(batch.get());
        }
        return batches;
    }

    private List<String> texts(List<LogBatch> batches, int... columns) {
        List<String> texts = new ArrayList<>();
        int[] wanted = columns.length == 0 ? new int[] {0, 1, 2} : columns;
        try (ArrowBatchReader reader = new ArrowBatchReader(SCHEMA, wanted, allocator)) {
            for (LogBatch batch : batches) {
                reader.read(batch.metadata(), batch.body());
                for (int i = 0; i < batch.rowCount(); i++) {
                    texts.add(text(reader.rows().setRow(i), wanted));
                }
            }
        }
        return texts;
    }

    private static String text(ArrowRow row, int[] columns) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < columns.length; i++) {
            String value =
                    row.isNullAt(i)
                            ? "null"
                            : switch (columns[i]) {
                                case 0 -> Long.toString(row.longAt(i));
                                case 1 -> new String(row.bytesAt(i), StandardCharsets.UTF_8);
                                default -> Integer.toString(row.intAt(i));
                            };
            text.append(columns[i]).append('=').append(value).append(' ');
        }
        return text.toString();
    }

    @Test
    void rowsSpanSegmentsAndAnyOffsetCanBeTheStart() throws IOException {
        for (int i = 0; i < 40; i++) {
            append(1 + i % 5);
        }

        assertThat(segments()).hasSizeGreaterThan(3);
        assertThat(texts(read(0))).hasSize((int) rows);
        for (long from = 0; from < rows; from++) {
            LogBatch first = read(from).get(0);
            assertThat(first.baseOffset()).isLessThanOrEqualTo(from);
            assertThat(first.nextOffset()).isGreaterThan(from);
        }
        assertThat(read(rows)).isEmpty();
        assertThat(read(rows + 10)).isEmpty();
    }

    @Test
    void everyOffsetIsFoundByItsTime() {
        List<Long> bases = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            bases.add(rows);
            append(3);
        }

        for (long base : bases) {
            assertThat(log.offsetAt(1_000 + base)).isEqualTo(base);
            assertThat(log.offsetAt(1_001 + base)).isEqualTo(base + 3);
        }
        assertThat(log.offsetAt(0)).isZero();
    }

    @Test
    void aCursorFollowsWhatIsPublishedAndNothingElse() {
        append(2);
        try (LogCursor cursor =
                log.open(new ScanRequest(BUCKET, 0, ScanRequest.UNBOUNDED, null), SCHEMA)) {
            for (int i = 0; i < 60; i++) {
                long before = rows;
                assertThat(readAll(cursor)).hasSize(1);
                assertThat(cursor.nextOffset()).isEqualTo(before);
                log.append(batch(2, ArrowCompression.NONE, 0), ALL_INSERT, WriterStamp.NONE, 5_000);
                rows += 2;
                assertThat(cursor.next()).isEmpty();
                log.publish();
            }
            assertThat(cursor.isFinished()).isFalse();
        }
    }

    @Test
    void aCursorEndsAtTheAskedOffset() {
        append(5);
        append(5);
        try (LogCursor cursor = log.open(new ScanRequest(BUCKET, 2, 5, null), SCHEMA)) {
            assertThat(cursor.next()).isPresent();
            assertThat(cursor.isFinished()).isTrue();
            assertThat(cursor.next()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(ArrowCompression.class)
    void projectionGivesWhatReadingEverythingGives(ArrowCompression compression) {
        open(1 << 20, Map.of());
        append(batch(20, compression, 0));
        append(batch(500, compression, 300));

        List<String> all = texts(read(0));

        for (int[] columns : new int[][] {{0}, {1}, {2}, {2, 0}, {1, 2, 0}, {0, 1, 2}}) {
            List<String> expected = new ArrayList<>();
            for (String row : all) {
                StringBuilder projected = new StringBuilder();
                for (int column : columns) {
                    int start = row.indexOf(column + "=");
                    int end = column == 2 ? row.length() : row.indexOf((column + 1) + "=", start);
                    projected.append(row, start, end);
                }
                expected.add(projected.toString());
            }
            assertThat(texts(read(0, columns), columns)).isEqualTo(expected);
        }
    }

    @Test
    void kindsAndTimesAndStampsAreStored() {
        ByteBuffer kinds = ByteBuffer.wrap(new byte[] {0, 1, 2});
        log.append(batch(3, ArrowCompression.LZ4_FRAME, 0), kinds, new WriterStamp(9, 4), 77);
        log.publish();

        LogBatch read = read(0, 0).get(0);

        assertThat(read.kinds()).isEqualTo(kinds);
        assertThat(read.commitMillis()).isEqualTo(77);
        assertThat(read.schemaId()).isEqualTo(1);
        assertThat(read.bucket()).isEqualTo(BUCKET);
    }

    @Test
    void everyFlippedByteIsDetectedAndNamed() throws IOException {
        append(3);
        append(3);
        Path file = segments().get(0);
        byte[] good = Files.readAllBytes(file);

        for (int at = 0; at < good.length; at++) {
            byte[] bad = good.clone();
            bad[at] ^= (byte) (1 << at % 8);
            Files.write(file, bad);

            assertThatThrownBy(() -> read(0))
                    .as("byte %d", at)
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_DATA))
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("at byte ");
        }
        Files.write(file, good);
        assertThat(texts(read(0))).hasSize(6);
    }

    @Test
    void rowsBeforeADamageAreServedAndTheDamageIsNamedEachTime() throws IOException {
        open(1 << 20, Map.of());
        append(3);
        append(batch(400, ArrowCompression.NONE, 400));
        Path file = segments().get(0);
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 100] ^= 4;
        Files.write(file, bytes);

        try (LogCursor cursor =
                log.open(new ScanRequest(BUCKET, 0, ScanRequest.UNBOUNDED, null), SCHEMA)) {
            assertThat(cursor.next()).isPresent();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(cursor::next).hasMessageContaining("checksum");
            }
        }
    }

    @Test
    void aFileOfAnotherBucketIsRefused() throws IOException {
        append(3);
        BucketLog other = store.obtain(BucketId.of(new TableId(5), 1));
        other.append(batch(3, ArrowCompression.NONE, 0), ALL_INSERT, WriterStamp.NONE, 1);
        other.publish();
        Path theirs = folder.resolve("5/0/1").resolve(name(0));
        Files.write(folder.resolve("5/0/0").resolve(name(0)), Files.readAllBytes(theirs));

        assertThatThrownBy(() -> read(0)).hasMessageContaining("header of this bucket");
    }

    @Test
    void reopeningCutsWhatCameAfterTheCheckpoint() throws IOException {
        for (int i = 0; i < 30; i++) {
            append(4);
        }
        store.force();
        LogEnd end = store.ends().get(BUCKET);
        List<String> known = texts(read(0));
        for (int i = 0; i < 30; i++) {
            append(4);
        }
        BucketId unknown = BucketId.of(new TableId(6), 0);
        store.obtain(unknown)
                .append(batch(1, ArrowCompression.NONE, 0), ALL_INSERT, WriterStamp.NONE, 1);
        store.close();
        open(4 * 1024, Map.of(BUCKET, end));

        assertThat(log.endOffset()).isEqualTo(120);
        assertThat(texts(read(0))).isEqualTo(known);
        assertThat(store.find(unknown)).isEmpty();
        append(4);
        assertThat(texts(read(118))).hasSize(8).last().asString().startsWith("0=123 ");
    }

    @Test
    void aLostOrDamagedIndexIsRebuilt() throws IOException {
        open(1 << 20, Map.of());
        for (int i = 0; i < 40; i++) {
            append(batch(30, ArrowCompression.NONE, 300));
        }
        store.force();
        LogEnd end = store.ends().get(BUCKET);
        store.close();
        Path index = folder.resolve("5/0/0").resolve(name(0).replace(".log", ".index"));
        byte[] bytes = Files.readAllBytes(index);
        bytes[20] ^= 1;
        Files.write(index, bytes);
        open(1 << 20, Map.of(BUCKET, end));

        assertThat(read(1_000).get(0).baseOffset()).isEqualTo(990);

        store.close();
        Files.delete(index);
        open(1 << 20, Map.of(BUCKET, end));
        assertThat(log.offsetAt(1_000 + 990)).isEqualTo(990);
        append(3);
        assertThat(read(1_000)).hasSize(8);
    }

    @Test
    void aMissingSegmentIsNamed() throws IOException {
        for (int i = 0; i < 40; i++) {
            append(4);
        }
        store.force();
        LogEnd end = store.ends().get(BUCKET);
        store.close();
        Files.delete(segments().get(segments().size() - 1));

        assertThatThrownBy(() -> open(4 * 1024, Map.of(BUCKET, end)))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_DATA))
                .hasMessageContaining("lacks its segment");
        open(4 * 1024, Map.of());
    }

    private List<Path> segments() throws IOException {
        return Folders.list(folder.resolve("5/0/0")).stream().filter(Segment::isSegment).toList();
    }

    private static String name(long base) {
        return String.format("%020d.log", base);
    }
}

package io.flinkfluss.storage.api.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AllTypes;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArrowBatchTest {
    private final BufferAllocator allocator = new RootAllocator(256 << 20);

    /** Closing fails when a buffer leaked. */
    @AfterEach
    void closeAllocator() {
        allocator.close();
    }

    private static List<GenericRow> manyRows() {
        List<GenericRow> rows = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            rows.addAll(AllTypes.rows());
        }
        return rows;
    }

    private ArrowBatch write(Schema schema, ArrowCompression type, List<GenericRow> rows) {
        CompressionSettings settings = new CompressionSettings(type, 1);
        try (ArrowBatchWriter writer = new ArrowBatchWriter(schema, allocator, settings)) {
            rows.forEach(writer::write);
            return writer.finish();
        }
    }

    private List<GenericRow> read(
            Schema schema, int[] columns, ByteBuffer metadata, ByteBuffer body) {
        List<GenericRow> rows = new ArrayList<>();
        try (ArrowBatchReader reader = new ArrowBatchReader(schema, columns, allocator)) {
            int count = reader.read(metadata, body).getRowCount();
            List<DataType> types = new ArrayList<>();
            for (int column : ArrowSchemas.orAll(schema, columns)) {
                types.add(schema.columns().get(column).type());
            }
            for (int i = 0; i < count; i++) {
                rows.add(GenericRow.copyOf(reader.rows().setRow(i), types));
            }
        }
        return rows;
    }

    @ParameterizedTest
    @EnumSource(ArrowCompression.class)
    void everyTypeSurvives(ArrowCompression compression) {
        ArrowBatch batch = write(AllTypes.SCHEMA, compression, manyRows());
        ArrowBatchCheck.check(AllTypes.SCHEMA, batch);
        assertThat(read(AllTypes.SCHEMA, null, batch.metadata(), batch.body()))
                .isEqualTo(manyRows());
    }

    @ParameterizedTest
    @EnumSource(ArrowCompression.class)
    void oneRowSurvivesInTinyBuffers(ArrowCompression compression) {
        for (GenericRow row : AllTypes.rows()) {
            ArrowBatch batch = write(AllTypes.SCHEMA, compression, List.of(row));
            assertThat(read(AllTypes.SCHEMA, null, batch.metadata(), batch.body()))
                    .containsExactly(row);
        }
    }

    @ParameterizedTest
    @EnumSource(ArrowCompression.class)
    void projectionTakesColumnsInTheAskedOrder(ArrowCompression compression) {
        ArrowBatch batch = write(AllTypes.SCHEMA, compression, manyRows());
        int[] columns = {16, 8, 0, 9, 10, 11, 4};
        ArrowProjection.Projected projected =
                ArrowProjection.project(batch.metadata(), AllTypes.SCHEMA, columns);
        ByteBuffer body = projected.body(batch.body());
        assertThat(body.remaining()).isEqualTo(projected.bodyLength());
        List<GenericRow> expected = new ArrayList<>();
        for (GenericRow row : manyRows()) {
            Object[] values = new Object[columns.length];
            for (int i = 0; i < columns.length; i++) {
                values[i] = row.valueAt(columns[i]);
            }
            expected.add(GenericRow.of(values));
        }
        assertThat(read(AllTypes.SCHEMA, columns, projected.metadata(), body)).isEqualTo(expected);
        // Columns 9, 10 and 11 stand together in the body and are taken as one slice.
        assertThat(projected.bodySlices()).hasSizeLessThanOrEqualTo(5);
    }

    @Test
    void projectionOfAllColumnsIsOneSlice() {
        ArrowBatch batch = write(AllTypes.SCHEMA, ArrowCompression.ZSTD, manyRows());
        ArrowProjection.Projected projected =
                ArrowProjection.project(batch.metadata(), AllTypes.SCHEMA, null);
        assertThat(projected.bodySlices()).hasSize(1);
        assertThat(projected.body(batch.body())).isEqualTo(batch.body());
    }

    @ParameterizedTest
    @EnumSource(ArrowCompression.class)
    void arrowsOwnReaderReadsABatch(ArrowCompression compression) throws Exception {
        ArrowBatch batch = write(AllTypes.SCHEMA, compression, manyRows());
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        WriteChannel channel = new WriteChannel(Channels.newChannel(stream));
        MessageSerializer.serialize(channel, ArrowSchemas.toArrow(AllTypes.SCHEMA, null));
        int length = batch.metadata().remaining();
        MessageSerializer.writeMessageBuffer(channel, (length + 7) & ~7, padded(batch.metadata()));
        channel.write(batch.body().duplicate());
        channel.writeIntLittleEndian(-1);
        channel.writeIntLittleEndian(0);
        try (ArrowStreamReader reader =
                new ArrowStreamReader(
                        new ByteArrayInputStream(stream.toByteArray()),
                        allocator,
                        CommonsCompressionFactory.INSTANCE)) {
            assertThat(reader.loadNextBatch()).isTrue();
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            assertThat(root.getRowCount()).isEqualTo(batch.rowCount());
            IntVector ints = (IntVector) root.getVector("c3");
            assertThat(ints.isNull(0)).isTrue();
            assertThat(ints.get(1)).isEqualTo(Integer.MIN_VALUE);
            assertThat(root.getVector("c8").getObject(3)).hasToString("a");
        }
    }

    private static ByteBuffer padded(ByteBuffer metadata) {
        ByteBuffer target = ByteBuffer.allocate((metadata.remaining() + 7) & ~7);
        target.put(0, metadata, metadata.position(), metadata.remaining());
        return target;
    }

    @Test
    void statisticsBoundTheValues() {
        ArrowBatch batch = write(AllTypes.SCHEMA, ArrowCompression.ZSTD, AllTypes.rows());
        List<GenericRow> rows = AllTypes.rows();
        assertThat(batch.statistics()).hasSize(AllTypes.TYPES.size());
        for (int i = 0; i < AllTypes.TYPES.size(); i++) {
            DataType type = AllTypes.TYPES.get(i);
            ColumnStatistics statistics = batch.statistics().get(i);
            assertThat(statistics.columnId()).isEqualTo(i);
            assertThat(statistics.nullCount()).isEqualTo(1);
            assertThat(statistics.min()).isEqualTo(KeyCodec.encodeValue(type, rows.get(1), i));
            byte[] largest = KeyCodec.encodeValue(type, rows.get(2), i);
            assertThat(Arrays.compareUnsigned(statistics.max(), largest))
                    .as(type.toString())
                    .isGreaterThanOrEqualTo(0);
            assertThat(statistics.max().length).isLessThan(80);
        }
    }

    @Test
    void statisticsAreOfTheValuesAsTheyWereWhenTheyWereWritten() {
        Column column = Column.of(2, "bytes", DataType.of(TypeRoot.BYTES));
        Schema schema = new Schema(1, List.of(column), List.of());
        byte[] reused = new byte[50];
        try (ArrowBatchWriter writer =
                new ArrowBatchWriter(schema, allocator, CompressionSettings.NONE)) {
            for (int value : new int[] {5, 9, 3, 7}) {
                Arrays.fill(reused, (byte) value);
                writer.write(GenericRow.of(reused));
            }
            ColumnStatistics statistics = writer.finish().statistics().get(0);
            byte[] smallest = new byte[32];
            Arrays.fill(smallest, (byte) 3);
            byte[] largest = new byte[32];
            Arrays.fill(largest, (byte) 9);
            largest[31] = 10;
            assertThat(statistics.min())
                    .isEqualTo(KeyCodec.encodeValue(column.type(), GenericRow.of(smallest), 0));
            assertThat(statistics.max())
                    .isEqualTo(KeyCodec.encodeValue(column.type(), GenericRow.of(largest), 0));
        }
    }

    @Test
    void statisticsOfOnlyNullsHaveNoBounds() {
        ArrowBatch batch =
                write(AllTypes.SCHEMA, ArrowCompression.NONE, AllTypes.rows().subList(0, 1));
        assertThat(batch.statistics().get(8)).isEqualTo(new ColumnStatistics(8, 1, null, null));
    }

    private static final Schema NANOS =
            new Schema(
                    1,
                    List.of(
                            Column.of(0, "id", DataType.of(TypeRoot.INT).notNull()),
                            Column.of(1, "at", DataType.of(TypeRoot.TIMESTAMP, 9)),
                            Column.of(2, "text", DataType.of(TypeRoot.STRING))),
                    List.of());

    @Test
    void aRefusedRowLeavesTheBatchAsItWas() {
        LocalDateTime at = LocalDateTime.parse("2001-02-03T04:05:06.123456789");
        try (ArrowBatchWriter writer =
                new ArrowBatchWriter(NANOS, allocator, CompressionSettings.NONE)) {
            writer.write(GenericRow.of(1, at, "a"));
            assertThatThrownBy(
                            () ->
                                    writer.write(
                                            GenericRow.of(
                                                    2,
                                                    LocalDateTime.parse("2300-01-01T00:00:00"),
                                                    "b")))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_MISMATCH))
                    .hasMessageContaining("column at is TIMESTAMP(9)");
            assertThatThrownBy(() -> writer.write(GenericRow.of(null, at, "c")))
                    .hasMessageContaining("column id is INT NOT NULL");
            writer.write(GenericRow.of(3, null, null));
            ArrowBatch batch = writer.finish();
            assertThat(read(NANOS, null, batch.metadata(), batch.body()))
                    .containsExactly(GenericRow.of(1, at, "a"), GenericRow.of(3, null, null));
        }
    }

    @Test
    void writerAndReaderAreReusedFromBatchToBatch() {
        try (ArrowBatchWriter writer =
                        new ArrowBatchWriter(
                                NANOS, new int[] {2, 0}, allocator, CompressionSettings.NONE);
                ArrowBatchReader reader =
                        new ArrowBatchReader(NANOS, new int[] {2, 0}, allocator)) {
            for (int batchNumber = 0; batchNumber < 3; batchNumber++) {
                int rows = 1000 >> (3 * batchNumber);
                for (int i = 0; i < rows; i++) {
                    writer.write(
                            GenericRow.of(i, null, (i + batchNumber) % 3 == 0 ? null : "t" + i));
                }
                assertThat(writer.rowCount()).isEqualTo(rows);
                assertThat(writer.sizeInBytes()).isBetween(8L * rows, 13L * rows + 8);
                ArrowBatch batch = writer.finish();
                assertThat(writer.sizeInBytes()).isZero();
                reader.read(batch.metadata(), batch.body());
                for (int i = 0; i < rows; i++) {
                    ArrowRow row = reader.rows().setRow(i);
                    assertThat(row.intAt(1)).isEqualTo(i);
                    assertThat(row.isNullAt(0)).isEqualTo((i + batchNumber) % 3 == 0);
                    if (!row.isNullAt(0)) {
                        assertThat(
                                        new String(
                                                row.bytesAt(0),
                                                java.nio.charset.StandardCharsets.UTF_8))
                                .isEqualTo("t" + i);
                    }
                }
            }
        }
    }

    @Test
    void batchesThatDoNotFitAreRefused() {
        ArrowBatch batch = write(NANOS, ArrowCompression.ZSTD, List.of(GenericRow.of(1, null, "")));
        assertThatThrownBy(() -> ArrowBatchCheck.check(AllTypes.SCHEMA, batch))
                .hasMessageContaining("3 columns");
        ArrowBatch cut =
                new ArrowBatch(1, 1, batch.metadata(), batch.body().slice(0, 8), List.of());
        assertThatThrownBy(() -> ArrowBatchCheck.check(NANOS, cut))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_DATA));
        Schema strict =
                new Schema(
                        1,
                        List.of(
                                NANOS.columns().get(0),
                                Column.of(1, "at", DataType.of(TypeRoot.TIMESTAMP, 9).notNull()),
                                NANOS.columns().get(2)),
                        List.of());
        assertThatThrownBy(() -> ArrowBatchCheck.check(strict, batch))
                .hasMessageContaining("column at is TIMESTAMP(9) NOT NULL");
    }

    @ParameterizedTest
    @EnumSource(ArrowCompression.class)
    void damagedBytesNeverEscapeAsAnotherException(ArrowCompression compression) {
        ArrowBatch batch = write(AllTypes.SCHEMA, compression, manyRows().subList(0, 100));
        for (int i = 0; i < batch.metadata().remaining(); i++) {
            ByteBuffer damaged = copy(batch.metadata());
            damaged.put(i, (byte) (damaged.get(i) ^ 0x55));
            try {
                ArrowBatchCheck.check(
                        AllTypes.SCHEMA, new ArrowBatch(1, 100, damaged, batch.body(), List.of()));
            } catch (StorageException expected) {
                assertThat(expected.code()).isIn(ErrorCode.CORRUPT_DATA, ErrorCode.SCHEMA_MISMATCH);
            }
        }
        assertThatThrownBy(() -> RecordBatchMessage.parse(ByteBuffer.wrap(new byte[] {1, 2, 3})))
                .isInstanceOf(StorageException.class);
    }

    private static ByteBuffer copy(ByteBuffer source) {
        return ByteBuffer.allocate(source.remaining()).put(source.duplicate()).flip();
    }
}

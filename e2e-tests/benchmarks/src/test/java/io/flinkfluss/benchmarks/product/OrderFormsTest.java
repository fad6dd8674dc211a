package io.flinkfluss.benchmarks.product;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import io.flinkfluss.benchmarks.rows.Checksum;
import io.flinkfluss.benchmarks.rows.OrderGenerator;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.wire.ArrowBatchReader;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

/** What is read from this product's forms has the checksum of what was generated. */
final class OrderFormsTest {
    private static final int ROWS = 1_000;

    private final OrderGenerator generator = new OrderGenerator(4);
    private final WrittenRow written = new WrittenRow();

    @Test
    void rowsOfABatchAreTheRowsThatWereWritten() {
        Schema schema = OrderTables.log(4, 1).schema();
        CompressionSettings compression = CompressionSettings.of(OrderTables.log(4, 1));
        ReadRow read = new ReadRow(Columns.ALL);
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBatchWriter writer = new ArrowBatchWriter(schema, allocator, compression);
                ArrowBatchReader reader = new ArrowBatchReader(schema, null, allocator)) {
            for (int i = 0; i < ROWS; i++) {
                writer.write(written.of(generator.row(i)));
            }
            ArrowBatch batch = writer.finish();
            reader.read(batch.metadata(), batch.body());
            for (int i = 0; i < ROWS; i++) {
                assertThat(Checksum.of(read.of(reader.rows().setRow(i))))
                        .isEqualTo(Checksum.of(generator.row(i)));
            }
        }
    }

    @Test
    void aProjectionHasItsTwoColumns() {
        Schema schema = OrderTables.log(4, 1).schema();
        int[] columns = OrderTables.indexes(Columns.CUSTOMER_AND_QUANTITY);
        ReadRow read = new ReadRow(Columns.CUSTOMER_AND_QUANTITY);
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBatchWriter writer =
                        new ArrowBatchWriter(schema, columns, allocator, CompressionSettings.NONE);
                ArrowBatchReader reader = new ArrowBatchReader(schema, columns, allocator)) {
            writer.write(written.of(generator.row(5)));
            ArrowBatch batch = writer.finish();
            reader.read(batch.metadata(), batch.body());

            assertThat(Checksum.ofProjection(read.of(reader.rows().setRow(0))))
                    .isEqualTo(Checksum.ofProjection(generator.row(5)));
        }
    }

    @Test
    void theKeysOfACustomersOrdersBeginWithTheCustomer() {
        Schema schema = OrderTables.byCustomer(4, 1).schema();
        KeyCodec keys = new KeyCodec(schema, schema.keyIndexes());
        byte[] prefix = keys.encodeKeyPrefix(GenericRow.of(77L), 1);

        assertThat(keys.encode(written.of(generator.row(5).ofCustomer(77)))).startsWith(prefix);
        assertThat(keys.encode(written.of(generator.row(6).ofCustomer(77)))).startsWith(prefix);
    }

    @Test
    void aStoredRowIsTheRowThatWasWritten() {
        RowCodec codec = new RowCodec(OrderTables.keyed(4, 1).schema());
        for (int i = 0; i < ROWS; i++) {
            byte[] bytes = codec.encode(written.of(generator.row(i, 2L * i)));

            assertThat(Checksum.of(new ReadRow(Columns.ALL).of(codec.decode(bytes))))
                    .isEqualTo(Checksum.of(generator.row(i, 2L * i)));
        }
    }
}

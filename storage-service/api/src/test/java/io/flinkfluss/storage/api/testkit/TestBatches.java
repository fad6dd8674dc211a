package io.flinkfluss.storage.api.testkit;

import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.KvBatchBuilder;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.wire.ArrowBatchReader;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.api.wire.ArrowCompression;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Batches from rows and rows from batches. */
public final class TestBatches {
    private TestBatches() {}

    /** Rows for a log. */
    public static ArrowBatch arrow(Schema schema, GenericRow... rows) {
        CompressionSettings settings = new CompressionSettings(ArrowCompression.ZSTD, 1);
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBatchWriter writer = new ArrowBatchWriter(schema, allocator, settings)) {
            for (GenericRow row : rows) {
                writer.write(row);
            }
            return writer.finish();
        }
    }

    /** Upserts of these rows. */
    public static KvBatch upserts(Schema schema, GenericRow... rows) {
        KvBatchBuilder builder = new KvBatchBuilder(schema.id());
        RowCodec rowCodec = new RowCodec(schema);
        for (GenericRow row : rows) {
            builder.upsert(key(schema, row), rowCodec.encode(row));
        }
        return builder.build();
    }

    /** Deletes of the keys of these rows; only their key columns matter. */
    public static KvBatch deletes(Schema schema, GenericRow... rows) {
        KvBatchBuilder builder = new KvBatchBuilder(schema.id());
        for (GenericRow row : rows) {
            builder.delete(key(schema, row));
        }
        return builder.build();
    }

    /** The primary key of a whole row, in key form. */
    public static byte[] key(Schema schema, GenericRow row) {
        return new KeyCodec(schema, schema.keyIndexes()).encode(row);
    }

    /** A stored row's fields. */
    public static GenericRow row(Schema schema, byte[] bytes) {
        return GenericRow.copyOf(new RowCodec(schema).decode(bytes), types(schema, null));
    }

    /**
     * @param columnIndexes those of the scan
     */
    public static List<GenericRow> rows(Schema schema, int[] columnIndexes, LogBatch batch) {
        return rows(schema, columnIndexes, batch.metadata(), batch.body());
    }

    /**
     * @param columnIndexes those of the scan
     */
    public static List<GenericRow> rows(Schema schema, int[] columnIndexes, RowBatch batch) {
        return rows(schema, columnIndexes, batch.metadata(), batch.body());
    }

    private static List<GenericRow> rows(
            Schema schema, int[] columnIndexes, ByteBuffer metadata, ByteBuffer body) {
        List<DataType> types = types(schema, columnIndexes);
        List<GenericRow> rows = new ArrayList<>();
        try (BufferAllocator allocator = new RootAllocator();
                ArrowBatchReader reader = new ArrowBatchReader(schema, columnIndexes, allocator)) {
            int count = reader.read(metadata, body).getRowCount();
            for (int i = 0; i < count; i++) {
                rows.add(GenericRow.copyOf(reader.rows().setRow(i), types));
            }
        }
        return rows;
    }

    private static List<DataType> types(Schema schema, int[] columnIndexes) {
        if (columnIndexes == null) {
            return schema.columns().stream().map(Column::type).toList();
        }
        List<DataType> types = new ArrayList<>();
        for (int column : columnIndexes) {
            types.add(schema.columns().get(column).type());
        }
        return types;
    }
}

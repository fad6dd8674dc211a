package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Schema;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Turns rows into {@link ArrowBatch}es with statistics of every column. Keeps its buffers from
 * batch to batch. Not for several threads at once; close it to give the memory back.
 */
public final class ArrowBatchWriter implements AutoCloseable {
    private final int schemaId;
    private final ColumnWriter[] columns;
    private final ArrowBody body;
    private int rowCount;

    /** A writer of all columns. */
    public ArrowBatchWriter(
            Schema schema, BufferAllocator allocator, CompressionSettings compression) {
        this(schema, null, allocator, compression);
    }

    /**
     * A writer of some columns; its rows still have all of the schema's.
     *
     * @param columnIndexes positions of the wanted columns, in the wanted order; null for all
     */
    public ArrowBatchWriter(
            Schema schema,
            int[] columnIndexes,
            BufferAllocator allocator,
            CompressionSettings compression) {
        schemaId = schema.id();
        int[] wanted = ArrowSchemas.orAll(schema, columnIndexes);
        columns = new ColumnWriter[wanted.length];
        body = new ArrowBody(compression, 3 * wanted.length);
        for (int i = 0; i < wanted.length; i++) {
            columns[i] = ColumnWriter.of(schema.columns().get(wanted[i]), wanted[i]);
        }
    }

    /**
     * Adds a row. When it throws, the row is not part of the batch and the writer may be used on.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException SCHEMA_MISMATCH when a NOT NULL
     *     column is NULL or a value does not fit its column
     */
    public void write(RowView row) {
        for (ColumnWriter column : columns) {
            column.write(row, rowCount);
        }
        rowCount++;
    }

    /** Takes the newest row out again; the statistics may still cover it. */
    public void removeLast() {
        rowCount--;
    }

    public int rowCount() {
        return rowCount;
    }

    /** About how large the rows since the last batch are, uncompressed. */
    public long sizeInBytes() {
        long bytes = 0;
        for (ColumnWriter column : columns) {
            bytes += column.valueBytes(rowCount);
        }
        return bytes;
    }

    /** The batch of the rows since the last call; at least one is needed. */
    public ArrowBatch finish() {
        int[] nullCounts = new int[columns.length];
        List<ColumnStatistics> statistics = new ArrayList<>(columns.length);
        for (int i = 0; i < columns.length; i++) {
            nullCounts[i] = columns[i].finish(body, rowCount);
            statistics.add(columns[i].bounds.take(nullCounts[i]));
        }
        ByteBuffer metadata = body.message(rowCount, nullCounts).serialize();
        ArrowBatch batch = new ArrowBatch(schemaId, rowCount, metadata, body.take(), statistics);
        rowCount = 0;
        return batch;
    }

    @Override
    public void close() {
        body.close();
    }
}

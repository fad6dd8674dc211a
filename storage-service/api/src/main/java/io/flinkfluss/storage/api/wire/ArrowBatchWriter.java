package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Schema;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Turns rows into {@link ArrowBatch}es with statistics of every column. Keeps its buffers from
 * batch to batch. Not for several threads at once; close it to give the memory back.
 */
public final class ArrowBatchWriter implements AutoCloseable {
    private final int schemaId;
    private final VectorSchemaRoot root;
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
        root = VectorSchemaRoot.create(ArrowSchemas.toArrow(schema, wanted), allocator);
        columns = new ColumnWriter[wanted.length];
        body = new ArrowBody(allocator, compression, 3 * wanted.length);
        for (int i = 0; i < wanted.length; i++) {
            columns[i] =
                    ColumnWriter.of(schema.columns().get(wanted[i]), wanted[i], root.getVector(i));
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
        root.setRowCount(rowCount);
        for (int i = 0; i < columns.length; i++) {
            FieldVector vector = columns[i].vector();
            nullCounts[i] = vector.getNullCount();
            List<ArrowBuf> buffers = vector.getFieldBuffers();
            for (int b = 0; b < buffers.size(); b++) {
                ArrowBuf buffer = buffers.get(b);
                // Without NULLs the validity buffer, the first, may be left out.
                boolean leftOut = b == 0 && nullCounts[i] == 0;
                body.add(buffer, leftOut ? 0 : Math.toIntExact(buffer.writerIndex()));
            }
            statistics.add(columns[i].bounds.take(nullCounts[i]));
            columns[i].clear();
        }
        ByteBuffer metadata = body.message(rowCount, nullCounts).serialize();
        ArrowBatch batch = new ArrowBatch(schemaId, rowCount, metadata, body.take(), statistics);
        rowCount = 0;
        return batch;
    }

    @Override
    public void close() {
        root.close();
        body.close();
    }
}

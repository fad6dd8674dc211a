package io.flinkfluss.flink.sink.writer;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.BucketHash;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.testkit.TestBatches;
import java.util.List;

/** Writes row by row to any service; nothing is lost or kept back. */
public final class MemoryRowWriter implements RowWriter {
    private final StorageService service;
    private final TableInfo table;
    private final Schema schema;
    private long bytes;

    public MemoryRowWriter(StorageService service, TableInfo table) {
        this.service = service;
        this.table = table;
        this.schema = table.schema();
    }

    private GenericRow copy(RowView row) {
        List<DataType> types = schema.columns().stream().map(Column::type).toList();
        return GenericRow.copyOf(row, types);
    }

    private BucketId bucket(RowView row) {
        List<String> key = table.descriptor().bucketKey();
        if (key.isEmpty()) {
            return table.buckets().get(0);
        }
        BucketHash hash =
                new BucketHash(schema, schema.indexesOf(key), table.descriptor().bucketCount());
        return table.buckets().get(hash.bucket(row));
    }

    @Override
    public void append(RowView row) {
        ArrowBatch batch = TestBatches.arrow(schema, copy(row));
        bytes += batch.sizeInBytes();
        service.logAppender().append(bucket(row), WriterStamp.NONE, batch).join();
    }

    @Override
    public void upsert(RowView row) {
        put(row, TestBatches.upserts(schema, copy(row)));
    }

    @Override
    public void delete(RowView row) {
        put(row, TestBatches.deletes(schema, copy(row)));
    }

    private void put(RowView row, KvBatch batch) {
        bytes += batch.entries().remaining();
        service.kvWriter().put(bucket(row), WriterStamp.NONE, batch).join();
    }

    @Override
    public void flush() {}

    @Override
    public long bytesWritten() {
        return bytes;
    }

    @Override
    public void close() {}
}

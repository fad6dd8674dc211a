package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A scan with all it needs.
 *
 * @param schema of the table's rows
 * @param compression of the batches it gives
 */
public record KvScan(
        KvScanRequest request,
        Schema schema,
        CompressionSettings compression,
        BufferAllocator allocator) {
    long snapshotId() {
        return request.snapshotId();
    }
}

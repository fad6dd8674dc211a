package io.flinkfluss.storage.api;

import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import java.util.List;
import java.util.Map;

/**
 * Reads bucket logs: rows of log tables, or the changelog of primary-key tables. Only committed
 * rows are ever seen.
 */
public interface LogReader {
    /**
     * Begins a read; errors such as TABLE_NOT_FOUND and OFFSET_OUT_OF_RANGE come from this call or
     * from the first poll. A {@link ScanRequest#filter} is a hint: more may come than it looks for,
     * and from a node that knows no filters everything does.
     */
    Batches<LogBatch> scan(ScanRequest request);

    /**
     * The asked offset of each bucket. @throws io.flinkfluss.storage.api.error.StorageException
     * TABLE_NOT_FOUND
     */
    Map<BucketId, Long> offsets(List<BucketId> buckets, OffsetSpec spec);
}

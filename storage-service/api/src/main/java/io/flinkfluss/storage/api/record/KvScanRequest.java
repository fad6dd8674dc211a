package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.table.BucketId;

/**
 * A read of one bucket of a snapshot, in key order.
 *
 * @param afterKey only rows with a larger key; empty for the beginning. {@link RowBatch#lastKey} of
 *     the last batch that arrived resumes a broken scan
 * @param columnIndexes as in {@link ScanRequest}
 */
public record KvScanRequest(
        BucketId bucket, long snapshotId, byte[] afterKey, int[] columnIndexes) {
    public KvScanRequest {
        afterKey = afterKey.clone();
        columnIndexes = columnIndexes == null ? null : columnIndexes.clone();
    }
}

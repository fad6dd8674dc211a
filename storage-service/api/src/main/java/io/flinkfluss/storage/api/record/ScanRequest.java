package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.table.BucketId;

/**
 * A read of one bucket's log.
 *
 * @param startOffset first offset wanted; below the log's start it is an OFFSET_OUT_OF_RANGE error,
 *     at or past the end the read waits
 * @param endOffset first offset not wanted; {@link #UNBOUNDED} to follow the log for ever
 * @param columnIndexes positions of the wanted columns in the table's schema, in the wanted order;
 *     null for all
 * @param readFrom which replicas may answer
 * @param filter batches without a row that it looks for may be left out, see {@link
 *     LogBatch#leftOut}; never of a primary-key table, whose changes belong together
 */
public record ScanRequest(
        BucketId bucket,
        long startOffset,
        long endOffset,
        int[] columnIndexes,
        ReadFrom readFrom,
        LogFilter filter) {
    public static final long UNBOUNDED = Long.MAX_VALUE;

    public ScanRequest {
        if (startOffset < 0 || endOffset < startOffset) {
            throw new IllegalArgumentException(
                    "a scan needs 0 <= start <= end, not start "
                            + startOffset
                            + " and end "
                            + endOffset);
        }
        columnIndexes = columnIndexes == null ? null : columnIndexes.clone();
    }

    /** A read of everything from the leader. */
    public ScanRequest(BucketId bucket, long startOffset, long endOffset, int[] columnIndexes) {
        this(bucket, startOffset, endOffset, columnIndexes, ReadFrom.LEADER, LogFilter.NONE);
    }

    /** The same read from another offset on. */
    public ScanRequest startingAt(long offset) {
        return new ScanRequest(bucket, offset, endOffset, columnIndexes, readFrom, filter);
    }

    /** The same read from these replicas. */
    public ScanRequest from(ReadFrom replicas) {
        return new ScanRequest(bucket, startOffset, endOffset, columnIndexes, replicas, filter);
    }

    /** The same read with this filter instead. */
    public ScanRequest matching(LogFilter wanted) {
        return new ScanRequest(bucket, startOffset, endOffset, columnIndexes, readFrom, wanted);
    }
}

package io.flinkfluss.flink.tiering.plan;

import io.flinkfluss.storage.api.table.BucketId;

/**
 * Rows of a bucket's log that a round is to take.
 *
 * @param start first offset
 * @param end first offset that is left for later
 */
public record BucketRange(BucketId bucket, long start, long end) {
    public BucketRange {
        if (start < 0 || end < start) {
            throw new IllegalArgumentException(
                    "a range needs 0 <= start <= end, not " + start + " and " + end);
        }
    }

    public boolean isEmpty() {
        return start == end;
    }
}

package io.flinkfluss.flink.unionread.split;

import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import java.util.Objects;

/**
 * Rows of a bucket's log that are still to be read.
 *
 * @param start first offset wanted
 * @param end first offset not wanted; {@link ScanRequest#UNBOUNDED} to follow the log
 */
public record LogRange(BucketId bucket, long start, long end) {
    public LogRange {
        Objects.requireNonNull(bucket, "bucket");
        if (start < 0 || end < start) {
            throw new IllegalArgumentException(
                    "a log range needs 0 <= start <= end, not start " + start + " and end " + end);
        }
    }

    public boolean isEmpty() {
        return start == end;
    }

    public LogRange from(long newStart) {
        return new LogRange(bucket, newStart, end);
    }
}

package io.flinkfluss.flink.source.split;

import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;

/**
 * A range of a bucket's log.
 *
 * @param startOffset first offset to read
 * @param stopOffset first offset not to read; {@link ScanRequest#UNBOUNDED} to follow the log
 */
public record LogSplit(BucketId bucket, long startOffset, long stopOffset) implements FlussSplit {
    public LogSplit {
        if (startOffset < 0 || stopOffset < startOffset) {
            throw new IllegalArgumentException(
                    "a log split of bucket "
                            + bucket
                            + " needs 0 <= start <= stop, not "
                            + startOffset
                            + " and "
                            + stopOffset);
        }
    }
}

package io.flinkfluss.flink.source.split;

import io.flinkfluss.storage.api.table.BucketId;
import java.util.Arrays;

/**
 * A bucket's current rows out of a snapshot, then its changelog from the snapshot's offset on.
 *
 * @param afterKey rows with a key up to this one were read; empty for none
 * @param rowsToSkip rows after {@code afterKey}, in key order, that were read too
 * @param logOffset where the changelog begins that the snapshot does not contain
 * @param stopOffset first offset of the changelog not to read; equal to {@code logOffset} for none
 */
public record KvSplit(
        BucketId bucket,
        long snapshotId,
        byte[] afterKey,
        long rowsToSkip,
        long logOffset,
        long stopOffset)
        implements FlussSplit {
    public KvSplit {
        afterKey = afterKey.clone();
        if (rowsToSkip < 0 || logOffset < 0 || stopOffset < logOffset) {
            throw new IllegalArgumentException(
                    "a key-value split of bucket "
                            + bucket
                            + " cannot skip "
                            + rowsToSkip
                            + " rows and then read the offsets "
                            + logOffset
                            + " to "
                            + stopOffset);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KvSplit that
                && bucket.equals(that.bucket)
                && snapshotId == that.snapshotId
                && Arrays.equals(afterKey, that.afterKey)
                && rowsToSkip == that.rowsToSkip
                && logOffset == that.logOffset
                && stopOffset == that.stopOffset;
    }

    @Override
    public int hashCode() {
        return bucket.hashCode() * 31 + Arrays.hashCode(afterKey);
    }

    @Override
    public String toString() {
        return "KvSplit[bucket="
                + bucket
                + ", snapshotId="
                + snapshotId
                + ", keyBytes="
                + afterKey.length
                + ", rowsToSkip="
                + rowsToSkip
                + ", logOffset="
                + logOffset
                + ", stopOffset="
                + stopOffset
                + "]";
    }
}

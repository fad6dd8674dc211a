package io.flinkfluss.flink.unionread.plan;

import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.lake.LakeSplit;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What both tiers of a table held at planning.
 *
 * @param snapshot the pinned lake snapshot; empty when the table was never tiered
 * @param lakeSplits the snapshot's splits
 * @param logStarts per bucket the first offset that the service still has
 * @param logEnds per bucket the offset after the last committed row, read after the snapshot was
 *     pinned
 */
public record PinnedTable(
        TableInfo table,
        Optional<LakeSnapshot> snapshot,
        List<LakeSplit> lakeSplits,
        Map<BucketId, Long> logStarts,
        Map<BucketId, Long> logEnds) {
    public PinnedTable {
        lakeSplits = List.copyOf(lakeSplits);
        logStarts = Map.copyOf(logStarts);
        logEnds = Map.copyOf(logEnds);
        for (BucketId bucket : table.buckets()) {
            checkSeam(table, bucket, seam(snapshot, bucket), logStarts, logEnds);
        }
    }

    /** The first offset of the bucket that the lake does not hold. */
    public long seam(BucketId bucket) {
        return seam(snapshot, bucket);
    }

    private static long seam(Optional<LakeSnapshot> snapshot, BucketId bucket) {
        return snapshot.map(found -> found.endOffset(bucket)).orElse(0L);
    }

    private static void checkSeam(
            TableInfo table,
            BucketId bucket,
            long seam,
            Map<BucketId, Long> logStarts,
            Map<BucketId, Long> logEnds) {
        long start = logStarts.get(bucket);
        long end = logEnds.get(bucket);
        if (start > seam) {
            throw new StorageException(
                    ErrorCode.OFFSET_OUT_OF_RANGE,
                    String.format(
                            "table %s, bucket %d: the lake holds the rows below offset %d, but the"
                                    + " log begins at %d; the rows between are in neither tier."
                                    + " Read the lake alone (%s$lake) or the log alone ('scan.startup.mode'"
                                    + "='earliest')",
                            table.path(), bucket.bucket(), seam, start, table.path().table()));
        }
        if (end < seam) {
            throw new StorageException(
                    ErrorCode.CORRUPT_DATA,
                    String.format(
                            "table %s, bucket %d: the lake holds the rows below offset %d, but the"
                                    + " log ends at %d already. The storage service has lost rows, or"
                                    + " it is not the one that this lake table was tiered from",
                            table.path(), bucket.bucket(), seam, end));
        }
    }
}

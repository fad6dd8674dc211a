package io.flinkfluss.lake;

import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one lake snapshot of a table contains: exactly the rows (primary-key table: the fold of the
 * changes) of each bucket below its end offset.
 *
 * @param round the tiering round that made it, from 1, without gaps
 * @param lakeSnapshotId the lake's own id
 * @param endOffsets per bucket the first offset the snapshot does not contain (the seam); a bucket
 *     without an entry was never tiered
 * @param committedAtMillis when it was committed, by the lake's clock
 * @param tieredUpToMillis commit time of the newest row in it, 0 when it has none
 */
public record LakeSnapshot(
        TableId table,
        long round,
        long lakeSnapshotId,
        Map<BucketId, Long> endOffsets,
        long committedAtMillis,
        long tieredUpToMillis) {
    public LakeSnapshot {
        endOffsets = Collections.unmodifiableMap(new TreeMap<>(endOffsets));
        if (round < 1) {
            throw new IllegalArgumentException("rounds count from 1, not " + round);
        }
    }

    /** The seam of this bucket: 0 when it was never tiered. */
    public long endOffset(BucketId bucket) {
        return endOffsets.getOrDefault(bucket, 0L);
    }

    /** The form in which it is registered with the storage service. */
    public LakeTiering toTiering() {
        return new LakeTiering(
                table, round, lakeSnapshotId, endOffsets, committedAtMillis, tieredUpToMillis);
    }
}

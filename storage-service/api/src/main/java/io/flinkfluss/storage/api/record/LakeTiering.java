package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.util.Map;
import java.util.TreeMap;

/**
 * How far a table is in the lake, as last registered. The lake itself is the truth; this is a cache
 * of it.
 *
 * @param round the tiering round that made the snapshot, from 1
 * @param lakeSnapshotId the lake's own id
 * @param endOffsets per bucket the first offset the snapshot does not contain (the seam)
 * @param committedAtMillis when the lake snapshot was committed
 * @param tieredUpToMillis commit time of the newest row in the snapshot
 */
public record LakeTiering(
        TableId table,
        long round,
        long lakeSnapshotId,
        Map<BucketId, Long> endOffsets,
        long committedAtMillis,
        long tieredUpToMillis) {
    public LakeTiering {
        endOffsets = java.util.Collections.unmodifiableMap(new TreeMap<>(endOffsets));
    }
}

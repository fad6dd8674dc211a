package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.util.Map;
import java.util.TreeMap;

/**
 * A frozen view of a primary-key table's state, made by {@link
 * io.flinkfluss.storage.api.KvReader#snapshot}.
 *
 * @param snapshotId names it in scans
 * @param logOffsets per bucket the log offset of the view: it equals the fold of the changelog up
 *     to (not including) that offset
 * @param rowCounts per bucket the number of live rows, or -1 when unknown
 */
public record KvSnapshot(
        TableId table,
        long snapshotId,
        Map<BucketId, Long> logOffsets,
        Map<BucketId, Long> rowCounts) {
    public KvSnapshot {
        logOffsets = java.util.Collections.unmodifiableMap(new TreeMap<>(logOffsets));
        rowCounts = java.util.Collections.unmodifiableMap(new TreeMap<>(rowCounts));
    }
}

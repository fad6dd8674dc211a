package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * A snapshot of one table's part of a shard.
 *
 * @param logOffsets per written bucket the end of its log at that moment
 * @param rowCounts per written bucket
 * @param takenAtMillis when the leader took the command
 */
public record FrozenTable(
        long snapshotId,
        TableId table,
        Map<BucketId, Long> logOffsets,
        Map<BucketId, Long> rowCounts,
        long takenAtMillis) {
    public FrozenTable {
        logOffsets = Collections.unmodifiableMap(new TreeMap<>(logOffsets));
        rowCounts = Collections.unmodifiableMap(new TreeMap<>(rowCounts));
    }
}

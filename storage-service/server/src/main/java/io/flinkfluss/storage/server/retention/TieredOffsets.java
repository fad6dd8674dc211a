package io.flinkfluss.storage.server.retention;

import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How far tables were in the lake some time ago. A union read that was planned with the lake
 * snapshot before the newest begins in the log where that one ends, so what the newest added counts
 * only after a while. One thread.
 */
final class TieredOffsets {
    private final long delayMillis;
    private final Map<TableId, Progress> tables = new HashMap<>();

    /**
     * @param settled counts already
     * @param latest will count later
     */
    private record Progress(Map<BucketId, Long> settled, LakeTiering latest, long seenAtMillis) {}

    TieredOffsets(long delayMillis) {
        this.delayMillis = delayMillis;
    }

    /** Notes what is registered now. */
    void look(TableId table, Optional<LakeTiering> registered, long nowMillis) {
        if (registered.isEmpty()) {
            tables.remove(table);
            return;
        }
        Progress known = tables.get(table);
        if (known == null) {
            tables.put(table, new Progress(Map.of(), registered.get(), nowMillis));
        } else if (nowMillis - known.seenAtMillis() >= delayMillis) {
            tables.put(
                    table,
                    new Progress(
                            known.latest().endOffsets(),
                            registered.get(),
                            known.latest().equals(registered.get())
                                    ? known.seenAtMillis()
                                    : nowMillis));
        }
    }

    /** The first offset of the bucket that the lake is not known to hold for long enough. */
    long end(BucketId bucket) {
        Progress known = tables.get(bucket.table());
        return known == null ? 0 : known.settled().getOrDefault(bucket, 0L);
    }

    /** Forgets all other tables. */
    void keepOnly(Set<TableId> known) {
        tables.keySet().retainAll(known);
    }
}

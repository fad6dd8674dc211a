package io.flinkfluss.lake.iceberg;

import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.storage.api.table.TableId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.exceptions.CommitFailedException;

/**
 * Expires snapshots older than an hour, and of a table with very frequent rounds all but the newest
 * {@value #KEPT}, but none younger than ten minutes: a reader that pinned one has that long. The
 * table property {@code history.expire.max-snapshot-age-ms} replaces the hour. The newest snapshot
 * of ours always stays.
 */
final class SnapshotExpiry {
    private static final int KEPT = 300;
    private static final int WORTH_A_COMMIT = 20;
    private static final long LONGEST = Duration.ofHours(1).toMillis();
    private static final long SHORTEST = Duration.ofMinutes(10).toMillis();

    private final Table table;
    private final TableId id;

    SnapshotExpiry(Table table, TableId id) {
        this.table = table;
        this.id = id;
    }

    /** Returns how many were expired. */
    int run(long now) {
        List<Long> times = new ArrayList<>();
        for (Snapshot snapshot : table.snapshots()) {
            times.add(snapshot.timestampMillis());
        }
        times.sort(null);
        long cut = now - maxAge();
        if (times.size() > KEPT) {
            long byCount = times.get(times.size() - KEPT);
            cut = Math.max(cut, Math.min(byCount, now - SHORTEST));
        }
        Optional<LakeSnapshot> newest = TieredSnapshots.newest(table, id);
        if (newest.isPresent()) {
            cut = Math.min(cut, newest.get().committedAtMillis());
        }
        long oldest = cut;
        int due = (int) times.stream().filter(time -> time < oldest).count();
        if (due < WORTH_A_COMMIT) {
            return 0;
        }
        try {
            table.expireSnapshots().expireOlderThan(cut).retainLast(1).commit();
            return due;
        } catch (CommitFailedException e) {
            return 0; // someone was quicker; next time
        }
    }

    private long maxAge() {
        String given = table.properties().get(TableProperties.MAX_SNAPSHOT_AGE_MS);
        return given == null ? LONGEST : Long.parseLong(given);
    }
}

package io.flinkfluss.lake.iceberg;

import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.lake.SnapshotProperties;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.TableId;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;

/** Finds the snapshots that tiering made among those of others. */
final class TieredSnapshots {
    private TieredSnapshots() {}

    /**
     * The newest of this table in the main branch.
     *
     * @throws StorageException SNAPSHOT_NOT_FOUND when snapshots of others are there, but those of
     *     ours that came before were expired: where tiering stopped is then unknown
     */
    static Optional<LakeSnapshot> newest(Table table, TableId id) {
        Snapshot current = table.currentSnapshot();
        if (current == null) {
            return Optional.empty();
        }
        return newest(SnapshotUtil.currentAncestors(table), id, table.name());
    }

    /**
     * @param ancestors newest first
     */
    static Optional<LakeSnapshot> newest(Iterable<Snapshot> ancestors, TableId id, String name) {
        Snapshot oldest = null;
        for (Snapshot snapshot : ancestors) {
            Optional<LakeSnapshot> ours =
                    SnapshotProperties.read(
                                    snapshot.snapshotId(),
                                    snapshot.timestampMillis(),
                                    snapshot.summary())
                            .filter(found -> found.table().equals(id));
            if (ours.isPresent()) {
                return ours;
            }
            oldest = snapshot;
        }
        if (oldest != null && oldest.parentId() != null) {
            throw new StorageException(
                    ErrorCode.SNAPSHOT_NOT_FOUND,
                    "lake table "
                            + name
                            + " has snapshots, but none that tiering made: another system expired"
                            + " them, and where tiering stopped is unknown. Roll the lake table back"
                            + " to a snapshot with the property "
                            + SnapshotProperties.ROUND
                            + ", or drop it so that it is filled anew");
        }
        return Optional.empty();
    }
}

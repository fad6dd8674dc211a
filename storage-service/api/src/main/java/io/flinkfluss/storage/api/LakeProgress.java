package io.flinkfluss.storage.api;

import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.TableId;
import java.util.Optional;

/** The registered lake progress of tables: a cache of what the lake's own snapshots say. */
public interface LakeProgress {
    /** The newest registered round; empty when the table was never tiered. */
    Optional<LakeTiering> latest(TableId table);

    /**
     * Registers a committed lake snapshot. Registering the newest round again is a no-op.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException STALE_LAKE_PROGRESS when a later
     *     round is already registered, TABLE_NOT_FOUND when the table was dropped
     */
    void register(LakeTiering tiering);
}

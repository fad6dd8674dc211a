package io.flinkfluss.lake;

import io.flinkfluss.storage.api.table.BucketId;
import java.util.List;
import java.util.Map;

/**
 * Publishes rounds of one table. However many committers race, and whatever dies when, the
 * snapshots of a table form one chain in which each round begins where the one before ended.
 */
public interface LakeCommitter {
    /**
     * Publishes the files of one round as one lake snapshot, atomically with the offsets it covers.
     * Commits that others (compaction, other engines) made in between are tolerated.
     *
     * @param round the newest round of ours plus one
     * @param startOffsets the end offsets of the newest snapshot of ours, exactly; empty when there
     *     is none
     * @param endOffsets the end offsets after this round, of every bucket in {@code startOffsets}
     *     and any new one; none may go back
     * @param tieredUpToMillis commit time of the newest row
     * @param files what the writers of this round returned
     * @throws io.flinkfluss.storage.api.error.StorageException STALE_LAKE_PROGRESS when the newest
     *     snapshot of ours is not the one this round begins at, TABLE_NOT_FOUND when the lake table
     *     is gone or belongs to another table: in both cases nothing was committed and {@link
     *     #discard} the files. TIMEOUT when the outcome is unknown even after asking the lake: keep
     *     the files, and plan the next round from {@link LakeCatalog#latestSnapshot}. Other codes:
     *     nothing was committed
     */
    LakeSnapshot commit(
            long round,
            Map<BucketId, Long> startOffsets,
            Map<BucketId, Long> endOffsets,
            long tieredUpToMillis,
            List<byte[]> files);

    /** Deletes files that were not and never will be committed; never throws. */
    void discard(List<byte[]> files);
}

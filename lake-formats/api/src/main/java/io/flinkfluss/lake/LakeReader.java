package io.flinkfluss.lake;

import java.util.List;

/**
 * Reads a pinned snapshot of one table: exactly the rows that its offsets cover, whatever is
 * committed meanwhile.
 */
public interface LakeReader {
    /**
     * Splits that together hold every row of the snapshot once. For a primary-key table the rows of
     * one key are in one split, and deletes are already taken into account when it is read.
     *
     * @param columnIndexes positions in the table's schema of the columns that will be read, for
     *     estimates; null for all
     * @throws io.flinkfluss.storage.api.error.StorageException SNAPSHOT_NOT_FOUND when the lake has
     *     expired the snapshot
     */
    List<LakeSplit> plan(LakeSnapshot snapshot, int[] columnIndexes);

    /**
     * Reads a split; on any machine that can reach the lake.
     *
     * @param columnIndexes positions in the table's schema, in the wanted order; null for all
     */
    LakeRows read(LakeSplit split, int[] columnIndexes);
}

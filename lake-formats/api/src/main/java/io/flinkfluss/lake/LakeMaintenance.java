package io.flinkfluss.lake;

import java.time.Duration;

/**
 * Upkeep of one lake table, in bounded steps between rounds. Never changes what a reader sees. A
 * commit of others in between makes a step give way, not fail.
 */
public interface LakeMaintenance {
    /**
     * Merges small files and applies deletes (when the table's option {@code
     * table.datalake.auto-compaction} is on) and expires old snapshots ({@code
     * table.datalake.auto-expire-snapshot}), as far as it is due and within a bound.
     */
    Report tidy();

    /**
     * Deletes files of this table that tiering wrote and no snapshot reaches.
     *
     * @param age only files that are at least this old, so that no round still means to commit them
     * @return how many were deleted
     */
    int deleteOrphans(Duration age);

    /** What was done. */
    record Report(int mergedFiles, int expiredSnapshots) {
        public boolean idle() {
            return mergedFiles == 0 && expiredSnapshots == 0;
        }
    }
}

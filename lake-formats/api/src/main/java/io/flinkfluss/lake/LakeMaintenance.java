package io.flinkfluss.lake;

/** Upkeep of one lake table, in bounded steps between rounds. Never changes what a reader sees. */
public interface LakeMaintenance {
    /**
     * Does what is due: merges small files and applies deletes (when the table's option {@code
     * table.datalake.auto-compaction} is on), expires old snapshots ({@code
     * table.datalake.auto-expire-snapshot}), deletes files that no snapshot reaches and that are
     * older than a round can last. A commit of others in between makes a step give way, not fail.
     */
    Report run();

    /** What was done. */
    record Report(int mergedFiles, int expiredSnapshots, int deletedOrphans) {
        public boolean idle() {
            return mergedFiles == 0 && expiredSnapshots == 0 && deletedOrphans == 0;
        }
    }
}

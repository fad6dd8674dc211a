package io.flinkfluss.storage.server.replication;

import java.time.Duration;

/**
 * What this node's member of a group knows about it now.
 *
 * @param leader id of the leading node, empty when nobody is known to lead
 * @param committedIndex the last entry that is known here to be on a majority
 * @param appliedIndex the last entry in this replica's state
 * @param logBytes of the files of its log
 */
public record GroupFigures(
        boolean leading,
        String leader,
        long term,
        long committedIndex,
        long appliedIndex,
        long logBytes,
        long bytesSinceCheckpoint,
        Duration applyTimeSinceCheckpoint) {
    /** Entries that are committed but not applied here yet. */
    public long lag() {
        return Math.max(0, committedIndex - appliedIndex);
    }
}

package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.server.log.BucketLog;

/** What a shard knows of one bucket that was written; belongs to the applying thread. */
final class BucketState {
    private final BucketLog log;
    private final WriterTable writers;
    private long rowCount;

    BucketState(BucketLog log, WriterTable writers, long rowCount) {
        this.log = log;
        this.writers = writers;
        this.rowCount = rowCount;
    }

    BucketLog log() {
        return log;
    }

    WriterTable writers() {
        return writers;
    }

    /** Live rows of a primary-key table. */
    long rowCount() {
        return rowCount;
    }

    void addRows(long change) {
        rowCount += change;
    }
}

package io.flinkfluss.storage.server.replication;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much a group has applied, in all and since its last checkpoint. Written by the applying
 * thread, read by any.
 */
final class AppliedWork {
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong bytesSinceCheckpoint = new AtomicLong();
    private final AtomicLong nanosSinceCheckpoint = new AtomicLong();

    void add(long entryBytes, long nanos) {
        bytes.addAndGet(entryBytes);
        bytesSinceCheckpoint.addAndGet(entryBytes);
        nanosSinceCheckpoint.addAndGet(nanos);
    }

    /** What was applied so far is in a checkpoint. */
    void saved() {
        bytesSinceCheckpoint.set(0);
        nanosSinceCheckpoint.set(0);
    }

    long bytes() {
        return bytes.get();
    }

    long bytesSinceCheckpoint() {
        return bytesSinceCheckpoint.get();
    }

    long nanosSinceCheckpoint() {
        return nanosSinceCheckpoint.get();
    }
}

package io.flinkfluss.storage.server.remote;

import java.util.concurrent.atomic.LongAdder;

/** What copying has done since the start. Any thread. */
public final class RemoteLogCounters {
    private final LongAdder copiedBytes = new LongAdder();
    private final LongAdder copies = new LongAdder();
    private final LongAdder copyErrors = new LongAdder();
    private final LongAdder deletes = new LongAdder();
    private final LongAdder deleteErrors = new LongAdder();

    void copied(long bytes) {
        copies.increment();
        copiedBytes.add(bytes);
    }

    void copyFailed() {
        copyErrors.increment();
    }

    void deleted() {
        deletes.increment();
    }

    void deleteFailed() {
        deleteErrors.increment();
    }

    public long copiedBytes() {
        return copiedBytes.sum();
    }

    public long copies() {
        return copies.sum();
    }

    public long copyErrors() {
        return copyErrors.sum();
    }

    public long deletes() {
        return deletes.sum();
    }

    public long deleteErrors() {
        return deleteErrors.sum();
    }
}

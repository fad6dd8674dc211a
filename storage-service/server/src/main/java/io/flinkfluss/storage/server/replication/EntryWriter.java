package io.flinkfluss.storage.server.replication;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** Writes entries to a replicated log. */
@FunctionalInterface
public interface EntryWriter {
    /**
     * Writes one entry; calls from one thread enter the log in their order. The future completes
     * with the state's answer after the entry is on a majority of disks and applied here; on the
     * applying thread, so what depends on it must be short. It fails with NOT_LEADER, NOT_READY or
     * BUSY when nothing was written, and with TIMEOUT when that is unknown.
     *
     * @param command belongs to the log from now on
     */
    CompletableFuture<byte[]> submit(long leaderMillis, ByteBuffer command);
}

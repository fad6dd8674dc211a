package io.flinkfluss.storage.server.replication;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A deterministic state machine: equal entries lead to equal state and equal answers on every
 * replica and after every restart. Entries, checkpoints and {@link #close} come from one thread at
 * a time. It never looks at a clock and never draws random numbers.
 */
public interface ReplicatedState extends AutoCloseable {
    /**
     * Position of the newest usable checkpoint, as found when the state was opened or replaced;
     * {@link Position#NONE} without one. Every later entry is applied again after a restart.
     */
    Position restored();

    /**
     * Applies one entry; the bytes are the proposer's answer. A command that cannot be honoured is
     * answered with an error; an exception means that this replica is broken and must stop.
     *
     * @param leaderMillis the leader's clock when it took the entry
     * @param command valid only during the call
     */
    byte[] apply(Position position, long leaderMillis, ByteBuffer command);

    /**
     * Makes durable much of what was applied, so that the next checkpoint has less to do. Any
     * thread; entries are applied meanwhile.
     */
    default CompletableFuture<Void> prepareCheckpoint() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Begins to make everything that was applied durable (files and folders are fsynced). What
     * takes time is done while later entries are applied.
     *
     * @return completes when it is durable, with the position up to and including which the log may
     *     be deleted. That may be older than what was just made durable, or NONE: an older
     *     checkpoint is kept to fall back to.
     */
    CompletableFuture<Position> checkpoint();

    /** How its checkpoints are sent and received; empty when they cannot be. */
    default Optional<CheckpointTransfer> transfer() {
        return Optional.empty();
    }

    @Override
    void close();
}

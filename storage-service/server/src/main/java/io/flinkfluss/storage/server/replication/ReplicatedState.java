package io.flinkfluss.storage.server.replication;

import java.nio.ByteBuffer;

/**
 * A deterministic state machine: equal entries lead to equal state and equal answers on every
 * replica and after every restart. Entries, checkpoints and {@link #close} come from one thread at
 * a time. It never looks at a clock and never draws random numbers.
 */
public interface ReplicatedState extends AutoCloseable {
    /**
     * Position of the newest usable checkpoint, as found when the state was opened; {@link
     * Position#NONE} without one. Every later entry is applied again after a restart.
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
     * Makes everything that was applied durable (files and folders are fsynced) so that the log up
     * to and including the returned position may be deleted. That position may be older than what
     * was just made durable, or NONE: an older checkpoint is kept to fall back to.
     */
    Position checkpoint();

    @Override
    void close();
}

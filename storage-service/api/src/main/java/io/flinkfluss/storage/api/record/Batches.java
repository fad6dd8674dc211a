package io.flinkfluss.storage.api.record;

import java.time.Duration;
import java.util.Optional;

/**
 * Batches that the service pushes, with a bounded buffer between: while nobody polls, the sender
 * stops. May be polled by one thread at a time; {@link #close} may be called by any thread.
 */
public interface Batches<B> extends AutoCloseable {
    /**
     * The next batch, or empty when none is here yet or the end was reached (see {@link
     * #isFinished}). Never blocks. A broken connection is repaired inside, from where it broke,
     * within the client's deadline.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException when the read cannot go on
     */
    Optional<B> poll();

    /** Like {@link #poll()}, but waits up to {@code timeout} for a batch. */
    Optional<B> poll(Duration timeout) throws InterruptedException;

    /** Whether the asked end was reached and every batch was polled. */
    boolean isFinished();

    /**
     * Called, on any thread and as often as wanted, whenever a poll may have something new (a
     * batch, the end or an error); set it before the first poll. The listener must not block.
     */
    void onAvailable(Runnable listener);

    @Override
    void close();
}

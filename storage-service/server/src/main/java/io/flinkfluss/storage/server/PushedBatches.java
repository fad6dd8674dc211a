package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.shard.ShardReads.Registration;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Batches read from a local cursor by the thread that polls. The disk is read within the poll; a
 * listener tells when a further poll makes sense. {@link #signal} never waits for a read.
 */
final class PushedBatches<B> implements Batches<B> {
    private final Cursor<B> cursor;
    private final ServerClock clock;

    /** Guards the cursor and {@code closed}; held while the disk is read. */
    private final Object reading = new Object();

    private boolean closed;

    /** Guards the fields below; never held for long. */
    private final Object signals = new Object();

    private Registration registration = () -> {};
    private Runnable listener = () -> {};
    private boolean signalled;
    private boolean ended;

    PushedBatches(Cursor<B> cursor, ServerClock clock) {
        this.cursor = cursor;
        this.clock = clock;
    }

    /** What ends the signals; it is closed with these batches. */
    void registered(Registration signalling) {
        synchronized (signals) {
            registration = signalling;
        }
    }

    /** There may be something new; any thread. */
    void signal() {
        Runnable told;
        synchronized (signals) {
            signalled = true;
            told = listener;
            signals.notifyAll();
        }
        told.run();
    }

    @Override
    public Optional<B> poll() {
        synchronized (signals) {
            signalled = false;
        }
        synchronized (reading) {
            if (closed) {
                throw new StorageException(
                        ErrorCode.CLOSED, "this read was closed; begin a new one");
            }
            return cursor.next();
        }
    }

    @Override
    public Optional<B> poll(Duration timeout) throws InterruptedException {
        long end = clock.nanos() + timeout.toNanos();
        while (true) {
            Optional<B> next = poll();
            long left = end - clock.nanos();
            if (next.isPresent() || isFinished() || left <= 0) {
                return next;
            }
            synchronized (signals) {
                if (!signalled && !ended) {
                    TimeUnit.NANOSECONDS.timedWait(signals, left);
                }
            }
        }
    }

    @Override
    public boolean isFinished() {
        synchronized (reading) {
            return cursor.isFinished();
        }
    }

    @Override
    public void onAvailable(Runnable newListener) {
        boolean tell;
        synchronized (signals) {
            listener = newListener;
            tell = signalled;
        }
        if (tell) {
            newListener.run();
        }
    }

    @Override
    public void close() {
        synchronized (reading) {
            if (closed) {
                return;
            }
            closed = true;
            cursor.close();
        }
        Registration signalling;
        synchronized (signals) {
            ended = true;
            signalling = registration;
            signals.notifyAll();
        }
        signalling.close();
    }

    /** Where the batches come from; used by one thread at a time. */
    interface Cursor<B> {
        Optional<B> next();

        boolean isFinished();

        void close();
    }
}

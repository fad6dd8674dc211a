package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Batches read from a local cursor by the thread that polls. The disk is read within the poll; a
 * listener tells when a further poll makes sense.
 */
final class PushedBatches<B> implements Batches<B> {
    private final Cursor<B> cursor;
    private final ServerClock clock;

    /** Guards the fields below and the use of the cursor. */
    private final Object lock = new Object();

    private AutoCloseable registration = () -> {};
    private Runnable listener = () -> {};
    private boolean signalled;
    private boolean closed;

    PushedBatches(Cursor<B> cursor, ServerClock clock) {
        this.cursor = cursor;
        this.clock = clock;
    }

    /** What ends the signals, closed with these batches. */
    void registered(AutoCloseable signals) {
        boolean late;
        synchronized (lock) {
            late = closed;
            registration = signals;
        }
        if (late) {
            closeSignals(signals);
        }
    }

    /** There may be something new; any thread. */
    void signal() {
        Runnable told;
        synchronized (lock) {
            signalled = true;
            told = listener;
            lock.notifyAll();
        }
        told.run();
    }

    @Override
    public Optional<B> poll() {
        synchronized (lock) {
            if (closed) {
                throw new StorageException(
                        ErrorCode.CLOSED, "this read was closed; begin a new one");
            }
            signalled = false;
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
            synchronized (lock) {
                if (!signalled && !closed) {
                    TimeUnit.NANOSECONDS.timedWait(lock, left);
                }
            }
        }
    }

    @Override
    public boolean isFinished() {
        synchronized (lock) {
            return cursor.isFinished();
        }
    }

    @Override
    public void onAvailable(Runnable newListener) {
        boolean tell;
        synchronized (lock) {
            listener = newListener;
            tell = signalled;
        }
        if (tell) {
            newListener.run();
        }
    }

    @Override
    public void close() {
        AutoCloseable signals;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            signals = registration;
            cursor.close();
            lock.notifyAll();
        }
        closeSignals(signals);
    }

    private static void closeSignals(AutoCloseable signals) {
        try {
            signals.close();
        } catch (Exception failure) {
            throw new StorageException(
                    ErrorCode.INTERNAL, "a listener could not be removed", failure);
        }
    }

    /** Where the batches come from; used under a lock. */
    interface Cursor<B> {
        Optional<B> next();

        boolean isFinished();

        void close();
    }
}

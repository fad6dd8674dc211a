package io.flinkfluss.storage.api.testkit;

import io.flinkfluss.storage.api.record.Batches;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A read of the in-memory service: a cursor that is asked under the service's lock. */
final class InMemoryBatches<B> implements Batches<B> {
    /** What a read does step by step; always called under the lock. */
    interface Cursor<B> {
        Optional<B> next();

        boolean isFinished();

        void listen(Runnable listener);

        void close();
    }

    private final Object lock;
    private final Cursor<B> cursor;

    InMemoryBatches(Object lock, Cursor<B> cursor) {
        this.lock = lock;
        this.cursor = cursor;
    }

    @Override
    public Optional<B> poll() {
        synchronized (lock) {
            return cursor.next();
        }
    }

    @Override
    public Optional<B> poll(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        synchronized (lock) {
            while (true) {
                Optional<B> next = cursor.next();
                long left = deadline - System.nanoTime();
                if (next.isPresent() || cursor.isFinished() || left <= 0) {
                    return next;
                }
                TimeUnit.NANOSECONDS.timedWait(lock, left);
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
    public void onAvailable(Runnable listener) {
        synchronized (lock) {
            cursor.listen(listener);
        }
        listener.run();
    }

    @Override
    public void close() {
        synchronized (lock) {
            cursor.close();
        }
    }
}

package io.flinkfluss.storage.client.write;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.annotation.concurrent.GuardedBy;

/**
 * A bound on the bytes that wait to be written or acknowledged. Taking never fails; who has taken
 * too much waits afterwards, so the bound can be passed by one piece per writing thread. Any thread
 * may use it.
 */
public final class MemoryBudget {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final long limit;

    private volatile long used;

    @GuardedBy("lock")
    private boolean closed;

    public MemoryBudget(long limit) {
        this.limit = limit;
    }

    void take(long bytes) {
        lock.lock();
        try {
            used += bytes;
        } finally {
            lock.unlock();
        }
    }

    void give(long bytes) {
        lock.lock();
        try {
            used -= bytes;
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether more is taken than allowed, so that {@link #await} would wait. */
    boolean isExceeded() {
        return used > limit;
    }

    /**
     * Waits until no more than the limit is taken.
     *
     * @throws StorageException BUSY after the timeout
     */
    void await(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lock();
        try {
            while (used > limit && !closed) {
                if (left <= 0) {
                    throw new StorageException(
                            ErrorCode.BUSY,
                            used
                                    + " bytes wait to be acknowledged, "
                                    + limit
                                    + " are allowed, and none was in "
                                    + timeout.toMillis()
                                    + " ms. Check the storage service, or allow more memory for"
                                    + " writing.");
                }
                left = freed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    long used() {
        return used;
    }

    public void close() {
        lock.lock();
        try {
            closed = true;
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}

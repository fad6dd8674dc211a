package io.flinkfluss.storage.server.runtime;

import java.util.concurrent.TimeUnit;

/** Holds back work that must leave room for others, to so many bytes in a second. Any thread. */
public final class Pace {
    private static final long SECOND = 1_000_000_000L;

    private final ServerClock clock;
    private final long bytesPerSecond;

    /** When the bytes that were allowed so far will have been due. */
    private long dueNanos;

    public Pace(ServerClock clock, long bytesPerSecond) {
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException(bytesPerSecond + " bytes in a second");
        }
        this.clock = clock;
        this.bytesPerSecond = bytesPerSecond;
        dueNanos = clock.nanos();
    }

    /**
     * Counts bytes.
     *
     * @return nanoseconds to wait before more are moved
     */
    public synchronized long count(long bytes) {
        long now = clock.nanos();
        // What was not used is not saved up, except for a tenth of a second.
        dueNanos = Math.max(dueNanos, now - SECOND / 10);
        dueNanos += (long) (bytes * (double) SECOND / bytesPerSecond);
        return Math.max(0, dueNanos - now);
    }

    /** Counts bytes and waits. */
    public void move(long bytes) throws InterruptedException {
        long wait = count(bytes);
        if (wait > 0) {
            TimeUnit.NANOSECONDS.sleep(wait);
        }
    }
}

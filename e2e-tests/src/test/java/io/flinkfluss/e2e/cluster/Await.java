package io.flinkfluss.e2e.cluster;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Waiting with a deadline that says what was seen last. */
public final class Await {
    private Await() {}

    /** Polls until {@code expected} equals what is seen. */
    public static <T> void until(String what, Duration limit, T expected, Supplier<T> seen) {
        long end = System.nanoTime() + limit.toNanos();
        T last = seen.get();
        while (!expected.equals(last)) {
            if (System.nanoTime() > end) {
                throw new AssertionError(
                        what
                                + ": expected "
                                + expected
                                + " within "
                                + limit
                                + ", last seen "
                                + last);
            }
            pause(Duration.ofMillis(100));
            last = seen.get();
        }
    }

    /**
     * Lets other processes run for a while: only for choosing a moment to inject a fault, never for
     * waiting on a result.
     */
    public static void pause(Duration duration) {
        try {
            boolean done = new CountDownLatch(1).await(duration.toMillis(), TimeUnit.MILLISECONDS);
            if (done) {
                throw new IllegalStateException("a latch that nobody counts down was opened");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

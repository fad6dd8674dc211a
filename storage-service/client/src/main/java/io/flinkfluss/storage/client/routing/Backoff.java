package io.flinkfluss.storage.client.routing;

import java.time.Duration;

/** How long to wait before the next try: doubling from 10 ms to 1 s. */
public final class Backoff {
    private static final long FIRST_MILLIS = 10;
    private static final long LONGEST_MILLIS = 1000;
    private static final int MOST_DOUBLINGS = 7;

    private Backoff() {}

    /**
     * @param attempt how many tries failed before, from 0
     */
    public static Duration of(int attempt) {
        long millis = FIRST_MILLIS << Math.min(attempt, MOST_DOUBLINGS);
        return Duration.ofMillis(Math.min(millis, LONGEST_MILLIS));
    }
}

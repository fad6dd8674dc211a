package io.flinkfluss.cli.runtime;

import java.time.Duration;

/** Measures how long something took. */
public final class Stopwatch {
    private final long startNanos = System.nanoTime();

    public static long nowMillis() {
        return System.currentTimeMillis();
    }

    public static long nowNanos() {
        return System.nanoTime();
    }

    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    /** Like {@code 12.3 s}. */
    public String text() {
        return text(elapsed());
    }

    public static String text(Duration duration) {
        return String.format("%.1f s", duration.toMillis() / 1000.0);
    }
}

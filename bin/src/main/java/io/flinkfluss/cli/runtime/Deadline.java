package io.flinkfluss.cli.runtime;

import java.time.Duration;

/** A point in time until which something is waited for. */
public final class Deadline {
    private static final long PAUSE_MILLIS = 50;

    private final Duration total;
    private final long endNanos;

    private Deadline(Duration total) {
        this.total = total;
        this.endNanos = System.nanoTime() + total.toNanos();
    }

    public static Deadline in(Duration duration) {
        return new Deadline(duration);
    }

    public boolean isOver() {
        return System.nanoTime() - endNanos >= 0;
    }

    public Duration total() {
        return total;
    }

    public Duration left() {
        return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
    }

    /**
     * Asks the condition again and again until it holds.
     *
     * @throws CliException naming {@code what} when it does not hold in time
     */
    public void await(String what, Condition condition) {
        while (!condition.holds()) {
            if (isOver()) {
                throw new CliException(what + " did not happen within " + total.toSeconds() + " s");
            }
            pause();
        }
    }

    /** Lets a short while pass between two looks at something outside this process. */
    public static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException("interrupted while waiting", e);
        }
    }

    /** Something that becomes true. */
    @FunctionalInterface
    public interface Condition {
        boolean holds();
    }
}

package io.flinkfluss.benchmarks.driver;

import java.time.Duration;

/** The end of a wait. */
public final class Deadline {
    private final long endNanos;
    private final Duration patience;

    private Deadline(Duration patience) {
        this.patience = patience;
        endNanos = System.nanoTime() + patience.toNanos();
    }

    public static Deadline in(Duration patience) {
        return new Deadline(patience);
    }

    public boolean isOver() {
        return System.nanoTime() - endNanos > 0;
    }

    /**
     * @throws IllegalStateException when it is over, naming what did not happen
     */
    public void check(String what) {
        if (isOver()) {
            throw new IllegalStateException(
                    "after " + patience.toSeconds() + " s: " + what + "; the run is given up");
        }
    }
}

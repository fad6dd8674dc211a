package io.flinkfluss.flink.tiering.plan;

/**
 * When the tables are looked for next, and whether the storage service answers. Each look begins a
 * pause after the one before ended: the given interval, after failures one that doubles from a
 * second. Plain state of one thread, which brings the time.
 */
public final class Lookout {
    private static final long FIRST_PAUSE = 1_000;
    private static final long LONGEST_PAUSE = 10_000;

    private final long interval;
    private long dueAt = Long.MIN_VALUE;
    private boolean looking;
    private boolean serviceAway;
    private int failures;

    public Lookout(long intervalMillis) {
        this.interval = intervalMillis;
    }

    public boolean isDue(long now) {
        return !looking && now >= dueAt;
    }

    public void begin() {
        looking = true;
    }

    /** The tables are known. */
    public void succeeded(long now) {
        looking = false;
        serviceAway = false;
        failures = 0;
        dueAt = now + interval;
    }

    /** The service did not answer. Returns the pause before the next look, in milliseconds. */
    public long serviceAway(long now) {
        long pause = failed(now);
        serviceAway = true;
        return pause;
    }

    /** It answered, but not with tables. Returns the pause before the next look. */
    public long failed(long now) {
        long pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failures, 10));
        failures++;
        looking = false;
        serviceAway = false;
        dueAt = now + pause;
        return pause;
    }

    public int failures() {
        return failures;
    }

    /** Whether the newest look found that the service does not answer. */
    public boolean isServiceAway() {
        return serviceAway;
    }
}

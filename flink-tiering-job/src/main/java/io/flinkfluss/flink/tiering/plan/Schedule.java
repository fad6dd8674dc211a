package io.flinkfluss.flink.tiering.plan;

/**
 * When a table's next round is due. A round begins early enough that it ends within the freshness
 * after the one before began; after a failure it begins after a pause that doubles. Plain state of
 * one thread, which brings the time.
 */
public final class Schedule {
    private static final long FIRST_PAUSE = 1_000;
    private static final long LONGEST_PAUSE = 60_000;

    private long freshness;
    private long begunAt = Long.MIN_VALUE;
    private long lastDuration;
    private long dueAt = Long.MIN_VALUE;
    private int failures;

    public Schedule(long freshnessMillis) {
        this.freshness = freshnessMillis;
    }

    public void freshness(long millis) {
        freshness = millis;
    }

    public long freshness() {
        return freshness;
    }

    public boolean isDue(long now) {
        return now >= dueAt;
    }

    /** A round is being planned. */
    public void begin(long now) {
        begunAt = now;
    }

    /** The round is in the lake. */
    public void succeeded(long now) {
        lastDuration = now - begunAt;
        nothingToDo();
    }

    /** The lake has every row there was when the round was begun. */
    public void nothingToDo() {
        failures = 0;
        dueAt = begunAt + Math.max(freshness / 2, freshness - lastDuration);
    }

    /** The round is in the lake, and more rows were waiting than it took. */
    public void succeededPartly(long now) {
        succeeded(now);
        dueAt = now;
    }

    /** The plan was out of date: plan again at once. */
    public void outdated(long now) {
        dueAt = now;
    }

    /** Returns the pause before the next try, in milliseconds. */
    public long failed(long now) {
        long pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failures, 10));
        failures++;
        dueAt = now + pause;
        return pause;
    }

    public int failures() {
        return failures;
    }
}

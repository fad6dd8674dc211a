package io.flinkfluss.flink.tiering.maintenance;

/**
 * Decides when a table is tidied: after a few rounds, a while after the last round, at once again
 * when there was more to do than one step does; and when its orphans are looked for: at the start
 * and every hour. Plain state of one thread, which brings the time.
 */
public final class Upkeep {
    private static final int ROUNDS = 5;
    private static final long QUIET_MILLIS = 30_000;
    private static final long ORPHANS_EVERY_MILLIS = 3_600_000;

    private int rounds;
    private long lastRound;
    private long lastOrphans = Long.MIN_VALUE;
    private boolean running;

    /** A round is in the lake. */
    public void roundCommitted(long now) {
        rounds++;
        lastRound = now;
    }

    public boolean isDue(long now) {
        if (running || rounds == 0) {
            return false;
        }
        return rounds >= ROUNDS || now - lastRound >= QUIET_MILLIS;
    }

    public void begin() {
        running = true;
        rounds = 0;
    }

    /** Whether this step should also look for orphans; asked once per step. */
    public boolean takesOrphans(long now) {
        if (lastOrphans != Long.MIN_VALUE && now - lastOrphans < ORPHANS_EVERY_MILLIS) {
            return false;
        }
        lastOrphans = now;
        return true;
    }

    /**
     * A step ended.
     *
     * @param changed whether it did anything, so that another step may find more
     */
    public void end(boolean changed) {
        running = false;
        if (changed) {
            rounds = Math.max(rounds, 1);
        }
    }
}

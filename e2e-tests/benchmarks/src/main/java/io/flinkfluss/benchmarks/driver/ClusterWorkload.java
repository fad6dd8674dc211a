package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Percentiles;
import io.flinkfluss.benchmarks.measure.Usage;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * One row in flight at a time to a log of one bucket with a replica on every node: how long an
 * acknowledgement takes, and for how long none comes after the leader was killed.
 */
final class ClusterWorkload {
    private static final String TABLE = "cluster";
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(3);
    private static final Duration READ_PATIENCE = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long RETRY_NANOS = 50_000_000;

    private final Work work;
    private final Phases phases;
    private final IntConsumer killer;
    private RowWriter writer;
    private int acknowledged;
    private int failedAttempts;

    /**
     * How long rows are written.
     *
     * @param singles so many are timed, after as many that warm up
     * @param longest for at most so long
     * @param beforeKill so that the kill hits a steady stream
     * @param afterResumption so that a second silence is seen too
     */
    record Phases(int singles, Duration longest, Duration beforeKill, Duration afterResumption) {}

    /**
     * @param killer kills a node, by its number
     */
    ClusterWorkload(Work work, Phases phases, IntConsumer killer) {
        this.work = work;
        this.phases = phases;
        this.killer = killer;
    }

    void run() throws Exception {
        work.client().createLog(TABLE, 1);
        try {
            writer = work.client().appender(TABLE);
            writeAndTime(work.silent());
            writeAndTime(work);
            killLeader();
        } finally {
            if (writer != null) {
                writer.close();
            }
        }
        check();
    }

    private void writeAndTime(Work where) throws Exception {
        int most = phases.singles();
        long[] nanos = new long[most];
        int done = 0;
        Deadline enough = Deadline.in(phases.longest());
        Meter meter = where.begin();
        while (done < most && !enough.isOver()) {
            long start = System.nanoTime();
            writeOne();
            nanos[done++] = System.nanoTime() - start;
        }
        Usage usage = meter.stop(done);
        Percentiles times = new Percentiles(Arrays.copyOf(nanos, done));
        where.figure(Measure.CLUSTER_WRITE_P50, times.millis(50), usage);
    }

    private void writeOne() throws Exception {
        writer.write(work.rows().row(acknowledged));
        writer.flush();
        acknowledged++;
    }

    private void killLeader() throws Exception {
        Deadline steady = Deadline.in(phases.beforeKill());
        while (!steady.isOver()) {
            writeOne();
        }
        Meter meter = work.begin();
        long last = System.nanoTime();
        killer.accept(work.client().leader(TABLE));
        int before = acknowledged;
        long longest = 0;
        Deadline silent = Deadline.in(LONGEST_SILENCE);
        Deadline end = silent;
        while (!end.isOver()) {
            if (attempt()) {
                long now = System.nanoTime();
                longest = Math.max(longest, now - last);
                last = now;
                end = end == silent ? Deadline.in(phases.afterResumption()) : end;
            } else {
                silent.check("no row was acknowledged since the leader was killed");
            }
        }
        work.figure(Measure.CLUSTER_SILENCE, longest / 1e9, meter.stop(acknowledged - before));
    }

    /**
     * Whether the next row was acknowledged; if not, a writer that knows nothing tries it again.
     */
    private boolean attempt() throws Exception {
        try {
            if (writer == null) {
                writer = work.client().appender(TABLE);
            }
            writeOne();
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            failedAttempts++;
            e.printStackTrace(System.err);
            abandonWriter();
            LockSupport.parkNanos(RETRY_NANOS);
            return false;
        }
    }

    private void abandonWriter() {
        try {
            if (writer != null) {
                writer.close();
            }
        } catch (Exception e) {
            e.printStackTrace(System.err);
        }
        writer = null;
    }

    /** Each acknowledged row is there; a row is there twice only if an attempt at it failed. */
    private void check() throws Exception {
        BitSet seen = new BitSet();
        int[] count = {0};
        long expected = work.client().countRows(TABLE);
        try (RowReader reader = work.client().reader(TABLE, Columns.ALL)) {
            Deadline deadline = Deadline.in(READ_PATIENCE);
            while (count[0] < expected) {
                reader.poll(
                        POLL,
                        row -> {
                            seen.set((int) row.orderId());
                            count[0]++;
                        });
                deadline.check("only " + count[0] + " of " + expected + " rows were read");
            }
        }
        int lost = acknowledged - seen.get(0, acknowledged).cardinality();
        WrongAnswerException.check("the number of acknowledged rows that are lost", 0, lost);
        int more = Math.max(0, count[0] - acknowledged - failedAttempts);
        WrongAnswerException.check("the number of rows that nobody wrote", 0, more);
    }
}

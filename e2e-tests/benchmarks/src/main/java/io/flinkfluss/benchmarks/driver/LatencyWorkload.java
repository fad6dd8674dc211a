package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Percentiles;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.rows.Checksum;
import io.flinkfluss.benchmarks.rows.OrderRow;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Writes rows at a steady rate while a reader follows. A row's time begins when it was due, so that
 * a writer that falls behind does not hide it.
 */
final class LatencyWorkload {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long LEAD_NANOS = 20_000_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final Work work;
    private final Pace pace;
    private final Measure middle;
    private final Measure tail;

    /** How fast and how long; the rows of the first seconds are not counted. */
    record Pace(int rowsPerSecond, int warmUpSeconds, int seconds) {
        int warmUpRows() {
            return warmUpSeconds * rowsPerSecond;
        }

        int rows() {
            return warmUpRows() + seconds * rowsPerSecond;
        }
    }

    /**
     * @param middle for the time that half of the rows do not exceed
     * @param tail for the one that 99 of 100 do not exceed
     */
    LatencyWorkload(Work work, Pace pace, Measure middle, Measure tail) {
        this.work = work;
        this.pace = pace;
        this.middle = middle;
        this.tail = tail;
    }

    void run(String table, int buckets) throws Exception {
        work.client().createLog(table, buckets);
        int rows = pace.rows();
        Arrivals arrivals = new Arrivals(rows);
        try (RowReader reader = work.client().reader(table, Columns.ALL);
                RowWriter writer = work.client().appender(table)) {
            Follower follower = new Follower(reader, arrivals, rows);
            follower.start();
            try {
                write(writer, follower, arrivals);
            } finally {
                follower.end();
            }
        }
        work.client().drop(table);
    }

    private void write(RowWriter writer, Follower follower, Arrivals arrivals) throws Exception {
        int warmUp = pace.warmUpRows();
        int rows = pace.rows();
        long step = NANOS_PER_SECOND / pace.rowsPerSecond();
        long start = System.nanoTime() + LEAD_NANOS;
        Meter meter = null;
        long checksum = 0;
        for (int i = 0; i < rows; i++) {
            OrderRow row = work.rows().row(i);
            checksum += Checksum.of(row);
            if (i == warmUp) {
                meter = work.begin();
            }
            pauseUntil(start + i * step);
            writer.write(row);
        }
        writer.flush();
        Deadline deadline = Deadline.in(PATIENCE);
        while (arrivals.count() < rows) {
            follower.checkAlive();
            deadline.check("only " + arrivals.count() + " of " + rows + " rows arrived");
            pauseUntil(System.nanoTime() + LEAD_NANOS);
        }
        Usage usage = meter.stop(rows - warmUp);
        follower.end();
        Percentiles times = arrivals.since(start, step, warmUp, checksum);
        work.figure(middle, times.millis(50), usage);
        work.figure(tail, times.millis(99), usage);
    }

    private static void pauseUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Polls until it has everything or is told to end. */
    private static final class Follower {
        private final Thread thread = new Thread(this::poll, "benchmark-follower");
        private final AtomicReference<Exception> failure = new AtomicReference<>();
        private final RowReader reader;
        private final Arrivals arrivals;
        private final int rows;
        private volatile boolean ended;

        Follower(RowReader reader, Arrivals arrivals, int rows) {
            this.reader = reader;
            this.arrivals = arrivals;
            this.rows = rows;
        }

        void start() {
            thread.start();
        }

        void checkAlive() {
            Exception cause = failure.get();
            if (cause != null) {
                throw new IllegalStateException("the reader failed: " + cause, cause);
            }
        }

        /** Returns when the thread has ended; may be called again. */
        void end() throws InterruptedException {
            ended = true;
            thread.join(PATIENCE.toMillis());
            if (thread.isAlive()) {
                throw new IllegalStateException(
                        "the reader does not return from a poll of " + POLL.toMillis() + " ms");
            }
        }

        private void poll() {
            try {
                while (!ended && arrivals.count() < rows) {
                    reader.poll(POLL, arrivals);
                }
            } catch (Exception e) {
                failure.set(e);
            }
        }
    }
}

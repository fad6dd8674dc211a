package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.rows.Checksum;
import io.flinkfluss.benchmarks.rows.OrderRow;
import io.flinkfluss.benchmarks.rows.OrderView;
import java.time.Duration;

/** Appends rows to a log and reads them all, then two columns of them. */
final class LogWorkload {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Work work;
    private final int buckets;

    LogWorkload(Work work, int buckets) {
        this.work = work;
        this.buckets = buckets;
    }

    void run(String table, long count) throws Exception {
        work.client().createLog(table, buckets);
        append(table, count);
        WrongAnswerException.check("the number of rows", count, work.client().countRows(table));
        Sums expected = expected(count);
        scan(table, Columns.ALL, count, expected.all());
        scan(table, Columns.CUSTOMER_AND_QUANTITY, count, expected.projected());
        work.client().drop(table);
    }

    private void append(String table, long count) throws Exception {
        try (RowWriter writer = work.client().appender(table)) {
            Meter meter = work.begin();
            for (long i = 0; i < count; i++) {
                writer.write(work.rows().row(i));
            }
            writer.flush();
            work.rate(Measure.APPEND, meter.stop(count));
        }
    }

    private void scan(String table, Columns columns, long count, long checksum) throws Exception {
        Sum sum = new Sum(columns);
        Meter meter = work.begin();
        Usage usage;
        try (RowReader reader = work.client().reader(table, columns)) {
            Deadline deadline = Deadline.in(PATIENCE);
            while (sum.count < count) {
                reader.poll(POLL, sum);
                deadline.check("only " + sum.count + " of " + count + " rows were read");
            }
            usage = meter.stop(count);
        }
        WrongAnswerException.check("the number of rows read", count, sum.count);
        WrongAnswerException.check("the checksum of " + columns, checksum, sum.checksum);
        work.rate(columns == Columns.ALL ? Measure.SCAN : Measure.SCAN_PROJECTED, usage);
    }

    private Sums expected(long count) {
        long all = 0;
        long projected = 0;
        for (long i = 0; i < count; i++) {
            OrderRow row = work.rows().row(i);
            all += Checksum.of(row);
            projected += Checksum.ofProjection(row);
        }
        return new Sums(all, projected);
    }

    private record Sums(long all, long projected) {}

    /** Counts and adds up what a reader gives. */
    private static final class Sum implements RowReader.Sink {
        private final boolean all;
        private long count;
        private long checksum;

        Sum(Columns columns) {
            all = columns == Columns.ALL;
        }

        @Override
        public void accept(OrderView row) {
            count++;
            checksum += all ? Checksum.of(row) : Checksum.ofProjection(row);
        }
    }
}

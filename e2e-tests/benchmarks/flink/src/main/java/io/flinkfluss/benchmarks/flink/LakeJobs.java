package io.flinkfluss.benchmarks.flink;

import io.flinkfluss.benchmarks.driver.Deadline;
import io.flinkfluss.benchmarks.driver.WrongAnswerException;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.rows.OrderRow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Inserts rows into tables that are copied to the lake, submits the job that does it, and reads
 * tables of which nothing, a part, or all is there.
 */
final class LakeJobs {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final long LOOK_NANOS = 50_000_000;

    private final Jobs jobs;
    private final Tables tables;
    private final SqlSystem system;
    private final Submissions submissions = Submissions.watch();

    LakeJobs(Jobs jobs, Tables tables, SqlSystem system) {
        this.jobs = jobs;
        this.tables = tables;
        this.system = system;
    }

    /**
     * @param rows of the log table, as many of which are inserted again at the end
     * @param tail rows that come after the others are in the lake
     * @param keys rows of the primary-key table, of which a tenth is changed afterwards
     */
    void run(String addresses, String warehouse, long rows, long tail, long keys, Report report)
            throws Exception {
        String name = "lake";
        String table = tables.lakeLog(name);
        report.rate(Measure.SQL_INSERT_LAKE, insert(table, 0, rows, report));
        readBeforeTiering(table, rows, report);
        report.rate(Measure.SQL_TIERING, tier(addresses, warehouse, name, rows, report));
        // The first query loads the classes that read the lake.
        read(table, rows, report);
        report.rate(Measure.SQL_UNION, read(table, rows, report));
        insert(table, rows, tail, report);
        report.rate(Measure.SQL_UNION_TAIL, read(table, rows + tail, report));
        insert(table, rows + tail, rows - tail, report);
        report.rate(Measure.SQL_UNION_HALF, read(table, 2 * rows, report));
        WrongAnswerException.check(
                "the rows in the lake after tiering was cancelled",
                rows,
                system.tieredRows(Tables.DATABASE, name));
        tables.drop(table);
        if (system.can(Measure.SQL_UNION_KEYED)) {
            readKeyed(addresses, warehouse, keys, report);
        }
    }

    private void readBeforeTiering(String table, long rows, Report report) throws Exception {
        if (system.can(Measure.SQL_UNION_NONE)) {
            read(table, rows, report);
            report.rate(Measure.SQL_UNION_NONE, read(table, rows, report));
        }
    }

    private void readKeyed(String addresses, String warehouse, long keys, Report report)
            throws Exception {
        String name = "lake_keys";
        String table = tables.lakeKeyed(name);
        insert(table, 0, keys, report);
        tier(addresses, warehouse, name, keys, report);
        query(table, keys, 0, report);
        long changed = keys / 10;
        jobs.insert(
                ("INSERT INTO %s SELECT order_id, customer_id, item, price, qty + 1, status, ts,"
                                + " note FROM %s")
                        .formatted(table, tables.orders(changed, 0, true)),
                changed,
                report.surroundings());
        report.rate(Measure.SQL_UNION_KEYED, query(table, keys, changed, report));
    }

    private Usage insert(String table, long first, long rows, Report report) throws Exception {
        return jobs.insert(
                "INSERT INTO %s SELECT * FROM %s"
                        .formatted(table, tables.orders(rows, first, false)),
                rows,
                report.surroundings());
    }

    /** From the submission of the job until all rows are in the lake; then cancels it. */
    private Usage tier(String addresses, String warehouse, String name, long rows, Report report)
            throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread submission =
                new Thread(
                        () -> {
                            try {
                                system.runTiering(addresses, warehouse);
                            } catch (Throwable e) {
                                failure.set(e);
                            }
                        },
                        "benchmark-tiering");
        submission.setDaemon(true);
        Deadline deadline = Deadline.in(PATIENCE);
        Meter meter = Meter.start(report.surroundings());
        submission.start();
        long tiered = 0;
        while (tiered < rows) {
            LockSupport.parkNanos(LOOK_NANOS);
            if (failure.get() != null) {
                throw new IllegalStateException("tiering ended", failure.get());
            }
            tiered = system.tieredRows(Tables.DATABASE, name);
            deadline.check("only " + tiered + " of " + rows + " rows are in the lake");
        }
        Usage usage = meter.stop(rows);
        submissions.cancel();
        return usage;
    }

    private Usage read(String table, long rows, Report report) throws Exception {
        return query(table, rows, 0, report);
    }

    /**
     * Adds up a table of the first orders.
     *
     * @param more pieces than those orders have
     */
    private Usage query(String table, long rows, long more, Report report) throws Exception {
        long pieces = more;
        long customer = 0;
        long marks = 0;
        for (long i = 0; i < rows; i++) {
            OrderRow row = OrdersSource.Shared.ROWS.row(i);
            pieces += row.quantity();
            customer = Math.max(customer, row.customerId());
            marks += row.note().length;
        }
        return jobs.query(
                "SELECT COUNT(*), SUM(CAST(qty AS BIGINT)), MAX(customer_id),"
                        + " SUM(CAST(CHAR_LENGTH(note) AS BIGINT)) FROM "
                        + table,
                rows,
                List.of(rows, pieces, customer, marks),
                report.surroundings());
    }
}

package io.flinkfluss.benchmarks.flink;

import io.flinkfluss.benchmarks.driver.Deadline;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.rows.OrderRow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Inserts rows into a log table that is copied to the lake, submits the job that does it, reads the
 * table when all is there, and again with fresh rows that may not be there yet.
 */
final class LakeJobs {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final long LOOK_NANOS = 50_000_000;

    private final Jobs jobs;
    private final Tables tables;
    private final SqlSystem system;

    LakeJobs(Jobs jobs, Tables tables, SqlSystem system) {
        this.jobs = jobs;
        this.tables = tables;
        this.system = system;
    }

    void run(String addresses, String warehouse, long rows, long tail, Report report)
            throws Exception {
        String name = "lake";
        String table = tables.lakeLog(name);
        report.rate(Measure.SQL_INSERT_LAKE, insert(table, 0, rows, report));
        report.rate(Measure.SQL_TIERING, tier(addresses, warehouse, name, rows, report));
        // The first query loads the classes that read the lake.
        read(table, rows, report);
        report.rate(Measure.SQL_UNION, read(table, rows, report));
        insert(table, rows, tail, report);
        report.rate(Measure.SQL_UNION_TAIL, read(table, rows + tail, report));
    }

    private Usage insert(String table, long first, long rows, Report report) throws Exception {
        return jobs.insert(
                "INSERT INTO %s SELECT * FROM %s"
                        .formatted(table, tables.orders(rows, first, false)),
                rows,
                report.surroundings());
    }

    /** From the submission of the job until all rows are in the lake. */
    private Usage tier(String addresses, String warehouse, String name, long rows, Report report)
            throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread job =
                new Thread(
                        () -> {
                            try {
                                system.runTiering(addresses, warehouse);
                            } catch (Throwable e) {
                                failure.set(e);
                            }
                        },
                        "benchmark-tiering");
        job.setDaemon(true);
        Deadline deadline = Deadline.in(PATIENCE);
        Meter meter = Meter.start(report.surroundings());
        job.start();
        long tiered = 0;
        while (tiered < rows) {
            LockSupport.parkNanos(LOOK_NANOS);
            if (failure.get() != null) {
                throw new IllegalStateException("tiering ended", failure.get());
            }
            tiered = system.tieredRows(Tables.DATABASE, name);
            deadline.check("only " + tiered + " of " + rows + " rows are in the lake");
        }
        return meter.stop(rows);
    }

    private Usage read(String table, long rows, Report report) throws Exception {
        long pieces = 0;
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

package io.flinkfluss.benchmarks.flink;

import io.flinkfluss.benchmarks.driver.WrongAnswerException;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.rows.Checksum;
import io.flinkfluss.benchmarks.rows.OrderRow;
import java.time.Duration;

/** Inserts rows into a log table, then reads it as a stream, all columns and two of eight. */
final class LogJobs {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Jobs jobs;
    private final Tables tables;

    LogJobs(Jobs jobs, Tables tables) {
        this.jobs = jobs;
        this.tables = tables;
    }

    void run(String name, long rows, Report report) throws Exception {
        String table = tables.log(name);
        String source = tables.orders(rows, 0, false);
        report.rate(
                Measure.SQL_INSERT,
                jobs.insert(
                        "INSERT INTO " + table + " SELECT * FROM " + source,
                        rows,
                        report.surroundings()));
        long all = 0;
        long projected = 0;
        for (long i = 0; i < rows; i++) {
            OrderRow row = OrdersSource.Shared.ROWS.row(i);
            all += Checksum.of(row);
            projected += Checksum.ofProjection(row);
        }
        report.rate(Measure.SQL_READ, read(table, Fields.DDL, Fields.NAMES, rows, all, report));
        report.rate(
                Measure.SQL_READ_PROJECTED,
                read(
                        table,
                        "customer_id BIGINT, qty INT",
                        "customer_id, qty",
                        rows,
                        projected,
                        report));
        tables.drop(table);
    }

    private Usage read(
            String table, String ddl, String names, long rows, long checksum, Report report)
            throws Exception {
        Tables.Target target = tables.tally(ddl, false);
        Jobs.Seen seen =
                jobs.untilSeen(
                        "INSERT INTO %s SELECT %s FROM %s%s"
                                .formatted(target.table(), names, table, tables.hints()),
                        target.tally(),
                        rows,
                        PATIENCE,
                        report.surroundings());
        WrongAnswerException.check("the number of rows read", rows, seen.usage().rows());
        WrongAnswerException.check("the checksum of " + names, checksum, target.tally().checksum());
        return seen.usage();
    }
}

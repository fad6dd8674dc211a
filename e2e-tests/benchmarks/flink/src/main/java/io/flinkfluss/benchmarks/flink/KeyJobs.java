package io.flinkfluss.benchmarks.flink;

import io.flinkfluss.benchmarks.driver.WrongAnswerException;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Usage;
import java.time.Duration;

/** Inserts rows into a primary-key table, then joins a stream of keys with it. */
final class KeyJobs {
    private final Jobs jobs;
    private final Tables tables;

    KeyJobs(Jobs jobs, Tables tables) {
        this.jobs = jobs;
        this.tables = tables;
    }

    /**
     * @param longest of the join, which may be slow: the rows that came by then count
     */
    void run(String name, long keys, Duration longest, Report report) throws Exception {
        String table = tables.keyed(name);
        String source = tables.orders(keys, 0, true);
        report.rate(
                Measure.SQL_INSERT_KEYED,
                jobs.insert(
                        "INSERT INTO " + table + " SELECT * FROM " + source,
                        keys,
                        report.surroundings()));
        report.rate(Measure.SQL_LOOKUP_JOIN, join(table, keys, longest, report));
        tables.drop(table);
    }

    private Usage join(String table, long keys, Duration longest, Report report) throws Exception {
        String probes = tables.probes(keys);
        Tables.Target target = tables.tally(Fields.DDL, true);
        Jobs.Seen seen =
                jobs.untilSeen(
                        ("INSERT INTO %s SELECT p.order_id, o.customer_id, o.item, o.price, o.qty,"
                                        + " o.status, o.ts, o.note FROM %s AS p LEFT JOIN %s%s"
                                        + " FOR SYSTEM_TIME AS OF p.pt AS o"
                                        + " ON p.order_id = o.order_id")
                                .formatted(target.table(), probes, table, tables.hints()),
                        target.tally(),
                        keys,
                        longest,
                        report.surroundings());
        if (!seen.isCut() || seen.usage().rows() == 0) {
            WrongAnswerException.check("the number of joined rows", keys, seen.usage().rows());
        }
        WrongAnswerException.check(
                "the checksum of joined rows",
                target.tally().expected(),
                target.tally().checksum());
        return seen.usage();
    }
}

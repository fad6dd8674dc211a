package io.flinkfluss.benchmarks.flink;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Creates the tables of workloads, each under a name of its own. */
final class Tables {
    static final String DATABASE = "bench";

    private static final String PLACE = "fl." + DATABASE + ".";
    private static final String KEY = ", PRIMARY KEY (order_id) NOT ENFORCED";
    private static final String TO_THE_LAKE =
            ", 'table.datalake.enabled'='true', 'table.datalake.freshness'='10s'";

    /** Names are not used again in this process: tallies of the same name would add up. */
    private static final AtomicInteger MADE = new AtomicInteger();

    private final Jobs jobs;
    private final int buckets;
    private final Map<String, String> options;

    /** A sink, and what it adds to. */
    record Target(String table, Tally tally) {}

    /**
     * @param options of the client, given to tables that are read
     */
    Tables(Jobs jobs, int buckets, Map<String, String> options) {
        this.jobs = jobs;
        this.buckets = buckets;
        this.options = Map.copyOf(options);
    }

    String log(String name) throws Exception {
        return create(name, Fields.DDL, "");
    }

    /** A log that is copied to the lake. */
    String lakeLog(String name) throws Exception {
        return create(name, Fields.DDL, TO_THE_LAKE);
    }

    String keyed(String name) throws Exception {
        return create(name, Fields.DDL + KEY, "");
    }

    /** A primary-key table that is copied to the lake. */
    String lakeKeyed(String name) throws Exception {
        return create(name, Fields.DDL + KEY, TO_THE_LAKE);
    }

    private String create(String name, String columns, String more) throws Exception {
        jobs.run(
                "CREATE TABLE %s%s (%s) WITH ('bucket.num'='%d'%s)"
                        .formatted(PLACE, name, columns, buckets, more));
        return PLACE + name;
    }

    void drop(String table) throws Exception {
        jobs.run("DROP TABLE " + table);
    }

    /** A source of rows. */
    String orders(long rows, long first, boolean shuffled) throws Exception {
        return temporary(
                Fields.DDL,
                "'connector'='orders', 'rows'='%d', 'first'='%d', 'shuffled'='%s'"
                        .formatted(rows, first, shuffled));
    }

    /** A source of the keys of so many rows, shuffled, with a time to join at. */
    String probes(long rows) throws Exception {
        return temporary(
                "order_id BIGINT, pt AS PROCTIME()",
                "'connector'='orders', 'rows'='%d', 'shuffled'='true'".formatted(rows));
    }

    Target tally(String columns, boolean comparing) throws Exception {
        String name = "tally" + MADE.incrementAndGet();
        String table =
                temporary(
                        columns,
                        "'connector'='tally', 'name'='%s', 'comparing'='%s'"
                                .formatted(name, comparing));
        return new Target(table, Tally.named(name));
    }

    private String temporary(String columns, String with) throws Exception {
        String table = "table" + MADE.incrementAndGet();
        jobs.run("CREATE TEMPORARY TABLE %s (%s) WITH (%s)".formatted(table, columns, with));
        return table;
    }

    /** The options as a hint behind a table's name; nothing without options. */
    String hints() {
        return options.isEmpty()
                ? ""
                : options.entrySet().stream()
                        .map(each -> "'" + each.getKey() + "'='" + each.getValue() + "'")
                        .collect(Collectors.joining(", ", " /*+ OPTIONS(", ") */"));
    }
}

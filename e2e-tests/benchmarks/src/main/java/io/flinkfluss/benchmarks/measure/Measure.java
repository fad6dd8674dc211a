package io.flinkfluss.benchmarks.measure;

/** A figure that systems are compared by. */
public enum Measure {
    FIRST_WRITE("first acknowledged write after the start", "s", Better.LOWER),
    IDLE_MEMORY("idle resident memory of all servers", "MB", Better.LOWER),
    APPEND("append", "rows/s", Better.HIGHER),
    SCAN("full scan", "rows/s", Better.HIGHER),
    SCAN_PROJECTED("scan of 2 of 8 columns", "rows/s", Better.HIGHER),
    SCAN_FILTERED("scan with a filter for 1 % of the rows", "rows/s", Better.HIGHER),
    INSERT("insert, distinct keys", "rows/s", Better.HIGHER),
    UPDATE("update, random keys", "rows/s", Better.HIGHER),
    LOOKUP_MANY("lookups, 512 in flight", "rows/s", Better.HIGHER),
    LOOKUP_ONE_P50("one lookup at a time, p50", "ms", Better.LOWER),
    LOOKUP_ONE_P99("one lookup at a time, p99", "ms", Better.LOWER),
    LOOKUP_PREFIX("prefix lookups of 10 rows, 512 in flight", "lookups/s", Better.HIGHER),
    LATENCY_P50("end to end at 1,000 rows/s, p50", "ms", Better.LOWER),
    LATENCY_P99("end to end at 1,000 rows/s, p99", "ms", Better.LOWER),
    FAST_LATENCY_P50("end to end at 20,000 rows/s, p50", "ms", Better.LOWER),
    FAST_LATENCY_P99("end to end at 20,000 rows/s, p99", "ms", Better.LOWER),
    SQL_INSERT("Flink: insert into a log table", "rows/s", Better.HIGHER),
    SQL_READ("Flink: read a log table", "rows/s", Better.HIGHER),
    SQL_READ_PROJECTED("Flink: read 2 of its 8 columns", "rows/s", Better.HIGHER),
    SQL_INSERT_KEYED("Flink: insert into a primary-key table", "rows/s", Better.HIGHER),
    SQL_LOOKUP_JOIN("Flink: lookup join", "rows/s", Better.HIGHER),
    SQL_INSERT_LAKE("Flink: insert into a lake-enabled log table", "rows/s", Better.HIGHER),
    SQL_TIERING("Flink: tiering to Iceberg", "rows/s", Better.HIGHER),
    SQL_UNION_NONE("Flink: union read, nothing in the lake yet", "rows/s", Better.HIGHER),
    SQL_UNION("Flink: union read, all in the lake", "rows/s", Better.HIGHER),
    SQL_UNION_TAIL("Flink: union read with fresh rows", "rows/s", Better.HIGHER),
    SQL_UNION_HALF("Flink: union read, half of it in the lake", "rows/s", Better.HIGHER),
    SQL_UNION_KEYED(
            "Flink: union read of a primary-key table with fresh rows", "rows/s", Better.HIGHER),
    CLUSTER_APPEND("three nodes: append", "rows/s", Better.HIGHER),
    CLUSTER_WRITE_P50("three nodes: one row in flight, p50", "ms", Better.LOWER),
    CLUSTER_LATENCY_P50("three nodes: end to end at 1,000 rows/s, p50", "ms", Better.LOWER),
    CLUSTER_LATENCY_P99("three nodes: end to end at 1,000 rows/s, p99", "ms", Better.LOWER),
    CLUSTER_SILENCE("three nodes: no acknowledgement after kill -9", "s", Better.LOWER),
    APPEND_ROWS_1("append, 1 × rows"),
    APPEND_ROWS_10("append, 10 × rows"),
    APPEND_ROWS_100("append, 100 × rows"),
    APPEND_BUCKETS_1("append, 1 × buckets"),
    APPEND_BUCKETS_10("append, 10 × buckets"),
    APPEND_BUCKETS_100("append, 100 × buckets"),
    APPEND_TABLES_1("append, 1 × tables"),
    APPEND_TABLES_10("append, 10 × tables"),
    APPEND_TABLES_100("append, 100 × tables"),
    INSERT_ROWS_1("insert, 1 × rows"),
    INSERT_ROWS_10("insert, 10 × rows"),
    INSERT_ROWS_100("insert, 100 × rows"),
    INSERT_BUCKETS_1("insert, 1 × buckets"),
    INSERT_BUCKETS_10("insert, 10 × buckets"),
    INSERT_BUCKETS_100("insert, 100 × buckets"),
    INSERT_TABLES_1("insert, 1 × tables"),
    INSERT_TABLES_10("insert, 10 × tables"),
    INSERT_TABLES_100("insert, 100 × tables");

    /** Which of two figures is the better one. */
    public enum Better {
        HIGHER,
        LOWER
    }

    private final String title;
    private final String unit;
    private final Better better;

    /** What a row costs: a step of a {@link Curve}. */
    Measure(String title) {
        this(title, "µs CPU a row", Better.LOWER);
    }

    Measure(String title, String unit, Better better) {
        this.title = title;
        this.unit = unit;
        this.better = better;
    }

    public String title() {
        return title;
    }

    public String unit() {
        return unit;
    }

    public Better better() {
        return better;
    }
}

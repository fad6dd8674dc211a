package io.flinkfluss.benchmarks.measure;

/** A figure that systems are compared by. */
public enum Measure {
    FIRST_WRITE("first acknowledged write after the start", "s", Better.LOWER),
    IDLE_MEMORY("idle resident memory of all servers", "MB", Better.LOWER),
    APPEND("append", "rows/s", Better.HIGHER),
    SCAN("full scan", "rows/s", Better.HIGHER),
    SCAN_PROJECTED("scan of 2 of 8 columns", "rows/s", Better.HIGHER),
    INSERT("insert, distinct keys", "rows/s", Better.HIGHER),
    UPDATE("update, random keys", "rows/s", Better.HIGHER),
    LOOKUP_MANY("lookups, 512 in flight", "rows/s", Better.HIGHER),
    LOOKUP_ONE_P50("one lookup at a time, p50", "ms", Better.LOWER),
    LOOKUP_ONE_P99("one lookup at a time, p99", "ms", Better.LOWER),
    LATENCY_P50("end to end at 1,000 rows/s, p50", "ms", Better.LOWER),
    LATENCY_P99("end to end at 1,000 rows/s, p99", "ms", Better.LOWER),
    FAST_LATENCY_P50("end to end at 20,000 rows/s, p50", "ms", Better.LOWER),
    FAST_LATENCY_P99("end to end at 20,000 rows/s, p99", "ms", Better.LOWER),
    CLUSTER_APPEND("three nodes: append", "rows/s", Better.HIGHER),
    CLUSTER_WRITE_P50("three nodes: one row in flight, p50", "ms", Better.LOWER),
    CLUSTER_LATENCY_P50("three nodes: end to end at 1,000 rows/s, p50", "ms", Better.LOWER),
    CLUSTER_LATENCY_P99("three nodes: end to end at 1,000 rows/s, p99", "ms", Better.LOWER),
    CLUSTER_SILENCE("three nodes: no acknowledgement after kill -9", "s", Better.LOWER);

    /** Which of two figures is the better one. */
    public enum Better {
        HIGHER,
        LOWER
    }

    private final String title;
    private final String unit;
    private final Better better;

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

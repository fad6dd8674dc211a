package io.flinkfluss.benchmarks.plan;

/** Workloads that share fresh servers, since one needs what another wrote. */
public enum Stage {
    /** From the start of the servers to the first acknowledged write, then idle. */
    START,
    /** Append, scan, scan of some columns, scan with a filter. */
    LOG,
    /** Insert, update, look up, look up by a prefix of the key. */
    KEYS,
    /** End to end at a steady rate. */
    LATENCY,
    /** Flink SQL: insert, read, lookup join, tiering, union read. */
    SQL,
    /** Three nodes with three replicas: append, one row at a time, end to end, kill the leader. */
    CLUSTER,
    /** More rows, buckets and tables; this product alone, which is compared with itself. */
    GROWTH;

    private static final int CLUSTER_NODES = 3;

    /** How many nodes hold data, and how many replicas every table has. */
    public int nodes() {
        return this == CLUSTER ? CLUSTER_NODES : 1;
    }
}

package io.flinkfluss.benchmarks.plan;

/** Workloads that share fresh servers, since one needs what another wrote. */
public enum Stage {
    /** From the start of the servers to the first acknowledged write, then idle. */
    START,
    /** Append, scan, scan of some columns. */
    LOG,
    /** Insert, update, look up. */
    KEYS,
    /** End to end at a steady rate. */
    LATENCY
}

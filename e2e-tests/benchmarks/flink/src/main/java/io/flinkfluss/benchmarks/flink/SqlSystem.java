package io.flinkfluss.benchmarks.flink;

import io.flinkfluss.benchmarks.measure.Measure;

/** What SQL alone does not tell of a system. Connected to servers that serve. */
public interface SqlSystem {
    /** Opens one. */
    @FunctionalInterface
    interface Connector {
        /**
         * @param addresses {@code host:port}, several with commas between
         */
        SqlSystem connect(String addresses) throws Exception;
    }

    /**
     * Submits the job that copies lake-enabled tables to an Iceberg catalog of folders; returns
     * then or runs as long as the job.
     *
     * @param warehouse the catalog's folder
     */
    void runTiering(String addresses, String warehouse) throws Exception;

    /** Whether it can do what is measured: the others refuse the statement. */
    default boolean can(Measure measure) {
        return true;
    }

    /**
     * How many rows of a table's log are in the lake, by the system's own offsets; 0 before the
     * first.
     */
    long tieredRows(String database, String table) throws Exception;
}

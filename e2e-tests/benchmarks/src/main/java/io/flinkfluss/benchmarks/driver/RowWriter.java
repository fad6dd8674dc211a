package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.rows.OrderRow;

/** Writes rows as an application does: asynchronously, in batches that the client makes. */
public interface RowWriter extends AutoCloseable {
    /** Hands a row to the client; may block while too many are on their way. */
    void write(OrderRow row) throws Exception;

    /**
     * Returns when all rows are acknowledged.
     *
     * @throws Exception when any was not
     */
    void flush() throws Exception;

    @Override
    void close() throws Exception;
}

package io.flinkfluss.flink.sink.writer;

import io.flinkfluss.storage.api.record.RowView;

/**
 * Writes rows to one table; the client's {@link io.flinkfluss.storage.client.write.TableWriter} as
 * the sink sees it. A failure is thrown by the next call. For one thread.
 */
public interface RowWriter extends AutoCloseable {
    void append(RowView row) throws InterruptedException;

    void upsert(RowView row) throws InterruptedException;

    /** Only the key columns need to be set. */
    void delete(RowView row) throws InterruptedException;

    /** Waits until every row is acknowledged. */
    void flush() throws InterruptedException;

    long bytesWritten();

    @Override
    void close();
}

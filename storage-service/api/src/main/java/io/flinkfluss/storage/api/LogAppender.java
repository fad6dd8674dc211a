package io.flinkfluss.storage.api;

import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import java.util.concurrent.CompletableFuture;

/**
 * Appends to log tables. Calls may come from any thread; batches of one bucket are stored in the
 * order of the calls.
 */
public interface LogAppender {
    /** A writer id that was never given out before. */
    long newWriterId();

    /**
     * How many bytes one batch may have, of a log or a primary-key table, with its statistics;
     * larger ones are refused with RECORD_TOO_LARGE.
     */
    int largestBatch();

    /**
     * Stores the batch; the future completes after it is durable and visible to readers.
     *
     * <p>Fails with TABLE_NOT_FOUND, SCHEMA_MISMATCH, RECORD_TOO_LARGE, UNSUPPORTED (a primary-key
     * table), DISK_FULL, BUSY, OUT_OF_ORDER_SEQUENCE (an earlier batch of the writer is missing),
     * UNKNOWN_WRITER (its sequence does not begin with 0), TIMEOUT.
     */
    CompletableFuture<AppendResult> append(BucketId bucket, WriterStamp stamp, ArrowBatch batch);
}

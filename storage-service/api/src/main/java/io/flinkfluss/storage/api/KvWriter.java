package io.flinkfluss.storage.api;

import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import java.util.concurrent.CompletableFuture;

/**
 * Writes primary-key tables. Calls may come from any thread; batches of one bucket are applied in
 * the order of the calls.
 */
public interface KvWriter {
    /**
     * Applies upserts and deletes; the future completes after they are durable and visible. The
     * batch is atomic. The changelog gets INSERT for a new key, UPDATE_BEFORE and UPDATE_AFTER for
     * a changed row, DELETE for a removed key, nothing when a row is deleted that does not exist.
     * Writing a row equal to the stored one is an update.
     *
     * <p>Fails like {@link LogAppender#append}; UNSUPPORTED for a log table.
     */
    CompletableFuture<AppendResult> put(BucketId bucket, WriterStamp stamp, KvBatch batch);
}

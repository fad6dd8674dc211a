package io.flinkfluss.storage.api;

import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads the current rows of primary-key tables. */
public interface KvReader {
    /**
     * The current rows of these keys ({@link io.flinkfluss.storage.api.record.KeyCodec} form of the
     * whole primary key), in the order of the keys. Reads everything that was acknowledged before
     * the call. Many calls may be in flight; the client sends what is waiting as one message.
     */
    CompletableFuture<List<Optional<EncodedRow>>> lookup(BucketId bucket, List<byte[]> keys);

    /**
     * Every current row whose key begins with this prefix (KeyCodec form of the first key columns),
     * in key order.
     */
    CompletableFuture<List<EncodedRow>> prefixLookup(BucketId bucket, byte[] prefix);

    /**
     * Freezes the state of all buckets of the table; release it with {@link #release}. It is freed
     * by itself an hour after its last use.
     */
    KvSnapshot snapshot(TableId table);

    /**
     * Reads a bucket of a snapshot. Fails with SNAPSHOT_NOT_FOUND when it was freed: make a new
     * one.
     */
    Batches<RowBatch> scan(KvScanRequest request);

    /** Frees a snapshot; an unknown one is ignored. */
    void release(KvSnapshot snapshot);
}

package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.kv.KvCursor;
import io.flinkfluss.storage.server.log.LogCursor;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a replica can read from its own copy of a shard: everything applied, nothing that could
 * disappear. May be called by any thread. Every method that names a bucket fails with
 * TABLE_NOT_FOUND when the shard does not know the table and with INVALID_REQUEST when the table
 * has no such bucket; a bucket that was never written is empty. The kv methods fail with
 * UNSUPPORTED for a log table.
 */
public interface ShardReads {
    boolean knows(TableId table);

    /** The tables it knows. */
    Set<TableId> tables();

    /** The first offset that still exists. */
    long logStart(BucketId bucket);

    /** The offset that the next row will get. */
    long logEnd(BucketId bucket);

    /** The first offset whose row was committed at or after this time; the log's end when none. */
    long offsetAt(BucketId bucket, long millis);

    /**
     * @throws io.flinkfluss.storage.api.error.StorageException OFFSET_OUT_OF_RANGE when the start
     *     is below the log's start, INVALID_REQUEST when a column does not exist
     */
    LogCursor openLog(ScanRequest request);

    /**
     * Calls the listener after each entry that added rows to the bucket, and once when the table is
     * dropped; on the applying thread, so it must not block. Close the registration to end it.
     */
    Registration onCommit(BucketId bucket, Runnable listener);

    /** The current rows of these keys, in the order of the keys. */
    List<Optional<EncodedRow>> lookup(BucketId bucket, List<byte[]> keys);

    /**
     * Every current row whose key begins with this prefix, in key order.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException RECORD_TOO_LARGE when the rows
     *     exceed the limit of one answer
     */
    List<EncodedRow> prefixLookup(BucketId bucket, byte[] prefix);

    /**
     * Begins a read of a snapshot and counts as a use of it.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException SNAPSHOT_NOT_FOUND, INVALID_REQUEST
     *     when a column does not exist
     */
    KvCursor openKv(KvScanRequest request, long nowMillis);

    /** What the replica takes. */
    ShardFigures figures();

    /** A listener that can be removed. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}

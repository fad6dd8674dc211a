package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.kv.FrozenTable;
import io.flinkfluss.storage.server.log.BucketLog;
import io.flinkfluss.storage.server.log.LogFacts;
import io.flinkfluss.storage.server.log.RemoteSegment;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What housekeeping sees of a shard's logs on this node. Any thread. */
public final class ShardLogs {
    private final ShardTables tables;
    private final Supplier<Storage> storage;
    private final LongSupplier bornMillis;

    ShardLogs(ShardTables tables, Supplier<Storage> storage, LongSupplier bornMillis) {
        this.tables = tables;
        this.storage = storage;
        this.bornMillis = bornMillis;
    }

    /**
     * When the shard took its first entry, by that entry; 0 before. Tells the shard from those of
     * other clusters.
     */
    public long bornMillis() {
        return bornMillis.getAsLong();
    }

    /** The logs of tables that exist. */
    public Set<BucketId> buckets() {
        Set<BucketId> buckets = new TreeSet<>();
        for (BucketLog log : storage.get().logs().all()) {
            if (tables.find(log.bucket().table()).isPresent()) {
                buckets.add(log.bucket());
            }
        }
        return buckets;
    }

    /**
     * Also notes which readers get on, so ask every now and then.
     *
     * @param readerPatience milliseconds that a reader counts without progress
     * @throws StorageException CORRUPT_DATA, or TABLE_NOT_FOUND when the table was dropped
     */
    public LogFacts facts(BucketId bucket, long nowMillis, long readerPatience) {
        return log(bucket).facts(nowMillis, readerPatience);
    }

    /** Like the other, without looking at readers. */
    public LogFacts facts(BucketId bucket) {
        return log(bucket).facts();
    }

    /**
     * For tables with snapshots, per bucket the lowest log offset where a reader of a snapshot goes
     * on; a bucket of such a table that is not named was empty.
     */
    public Map<TableId, Map<BucketId, Long>> snapshotOffsets() {
        Map<TableId, Map<BucketId, Long>> lowest = new TreeMap<>();
        List<FrozenTable> snapshots = storage.get().snapshots().tables();
        for (FrozenTable snapshot : snapshots) {
            lowest.merge(snapshot.table(), snapshot.logOffsets(), ShardLogs::lower);
        }
        return lowest;
    }

    /** What only one of them names begins at 0. */
    private static Map<BucketId, Long> lower(Map<BucketId, Long> one, Map<BucketId, Long> other) {
        Map<BucketId, Long> lower = new TreeMap<>();
        one.forEach(
                (bucket, offset) -> {
                    if (other.containsKey(bucket)) {
                        lower.put(bucket, Math.min(offset, other.get(bucket)));
                    }
                });
        return lower;
    }

    /** Names of all objects that the logs know in remote storage. */
    public Set<String> remoteObjects() {
        Set<String> names = new TreeSet<>();
        for (BucketLog log : storage.get().logs().all()) {
            log.remoteSegments().forEach(segment -> names.add(segment.name()));
        }
        return names;
    }

    /**
     * Writes a copy of a local segment that is complete, with its index, and checks every batch.
     *
     * @param name of the copy
     * @throws StorageException CORRUPT_DATA, OFFSET_OUT_OF_RANGE when there is no such segment,
     *     UNREACHABLE when the copy cannot be written
     */
    public RemoteSegment copy(BucketId bucket, long baseOffset, String name, OutputStream target) {
        return log(bucket).copy(baseOffset, name, target);
    }

    private BucketLog log(BucketId bucket) {
        return storage.get()
                .logs()
                .find(bucket)
                .orElseThrow(
                        () ->
                                new StorageException(
                                        ErrorCode.TABLE_NOT_FOUND,
                                        "the table of bucket " + bucket + " was dropped"));
    }
}

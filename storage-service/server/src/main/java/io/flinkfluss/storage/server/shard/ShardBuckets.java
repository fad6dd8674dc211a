package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.log.LogStore;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The buckets of a shard that were ever written; belongs to the applying thread. */
final class ShardBuckets {
    private final LogStore logs;
    private final Map<BucketId, BucketState> buckets = new TreeMap<>();

    /** Buckets whose log grew in the present entry. */
    private final Set<BucketId> grown = new LinkedHashSet<>();

    /** As a checkpoint knew them. */
    ShardBuckets(LogStore logs, Map<BucketId, Manifest.Bucket> known) {
        this.logs = logs;
        known.forEach(
                (id, bucket) ->
                        buckets.put(
                                id,
                                new BucketState(
                                        logs.obtain(id), bucket.writers(), bucket.rowCount())));
    }

    /** The bucket, empty when it was never written. */
    BucketState obtain(BucketId id) {
        return buckets.computeIfAbsent(
                id, key -> new BucketState(logs.obtain(key), new WriterTable(), 0));
    }

    Optional<BucketState> find(BucketId id) {
        return Optional.ofNullable(buckets.get(id));
    }

    Map<BucketId, BucketState> all() {
        return Collections.unmodifiableMap(buckets);
    }

    /** The bucket's log grew in this entry. */
    void grew(BucketId id) {
        grown.add(id);
    }

    /** Ends the entry: shows readers what grew and tells who waits for it. */
    void publish(ShardTables tables) {
        for (BucketId bucket : grown) {
            buckets.get(bucket).log().publish();
        }
        grown.forEach(tables::tell);
        grown.clear();
    }

    void dropTable(TableId table) {
        buckets.keySet().removeIf(bucket -> bucket.table().equals(table));
        grown.removeIf(bucket -> bucket.table().equals(table));
    }
}

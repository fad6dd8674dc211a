package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The tables that a shard knows and who listens to their buckets. Thread-safe. */
final class ShardTables {
    private final Map<TableId, TableState> tables = new ConcurrentHashMap<>();
    private final Map<BucketId, CopyOnWriteArrayList<Runnable>> listeners =
            new ConcurrentHashMap<>();

    void add(TableInfo table) {
        tables.computeIfAbsent(table.id(), id -> TableState.of(table));
    }

    /** Knows these tables instead of those it knew, and tells everybody who listens. */
    void replace(List<TableInfo> known) {
        Map<TableId, TableState> states = new HashMap<>();
        known.forEach(table -> states.put(table.id(), TableState.of(table)));
        tables.keySet().retainAll(states.keySet());
        tables.putAll(states);
        List.copyOf(listeners.keySet()).forEach(this::tell);
    }

    /** The table that was known, if any; from now on nobody finds it. */
    Optional<TableState> remove(TableId table) {
        return Optional.ofNullable(tables.remove(table));
    }

    /** Tells the listeners of a removed table a last time and forgets them. */
    void forgetListeners(TableId table) {
        for (BucketId bucket : List.copyOf(listeners.keySet())) {
            if (bucket.table().equals(table)) {
                tell(bucket);
                listeners.remove(bucket);
            }
        }
    }

    Optional<TableState> find(TableId table) {
        return Optional.ofNullable(tables.get(table));
    }

    Set<TableId> ids() {
        return new TreeSet<>(tables.keySet());
    }

    List<TableInfo> all() {
        List<TableInfo> all = new ArrayList<>();
        ids().forEach(id -> find(id).ifPresent(table -> all.add(table.info())));
        return all;
    }

    /**
     * @throws StorageException TABLE_NOT_FOUND, or INVALID_REQUEST when there is no such bucket
     */
    TableState require(BucketId bucket) {
        TableState table = tables.get(bucket.table());
        if (table == null) {
            throw new StorageException(
                    ErrorCode.TABLE_NOT_FOUND,
                    "table " + bucket.table() + " does not exist or was dropped");
        }
        int buckets = table.info().descriptor().bucketCount();
        boolean hasPartition =
                bucket.partition()
                        == BucketId.NO_PARTITION
                        == table.info().descriptor().partitionKeys().isEmpty();
        if (bucket.bucket() >= buckets || !hasPartition) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "bucket "
                            + bucket
                            + " does not exist: table "
                            + table.info().path()
                            + " has buckets 0 to "
                            + (buckets - 1)
                            + (table.info().descriptor().partitionKeys().isEmpty()
                                    ? " and no partitions"
                                    : " in each partition"));
        }
        return table;
    }

    ShardReads.Registration listen(BucketId bucket, Runnable listener) {
        listeners.compute(
                bucket,
                (id, present) -> {
                    CopyOnWriteArrayList<Runnable> all =
                            present == null ? new CopyOnWriteArrayList<>() : present;
                    all.add(listener);
                    return all;
                });
        return () ->
                listeners.computeIfPresent(
                        bucket,
                        (id, present) -> {
                            present.remove(listener);
                            return present.isEmpty() ? null : present;
                        });
    }

    void tell(BucketId bucket) {
        List<Runnable> all = listeners.get(bucket);
        if (all != null) {
            all.forEach(Runnable::run);
        }
    }
}

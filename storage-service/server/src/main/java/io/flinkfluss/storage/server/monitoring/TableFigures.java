package io.flinkfluss.storage.server.monitoring;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.server.metadata.MetadataState;
import io.flinkfluss.storage.server.shard.ShardReads;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts tables and buckets and says how far behind the lake is. Any thread. */
final class TableFigures {
    private final MetadataState metadata;
    private final List<ShardReads> shards;

    TableFigures(MetadataState metadata, List<ShardReads> shards) {
        this.metadata = metadata;
        this.shards = shards;
    }

    /**
     * @param perShard buckets of each shard
     */
    record Counts(long tables, long buckets, long[] perShard) {}

    /** How far the lake's copy of a table is behind. */
    record TierLag(TableInfo table, long pendingRows, long millis) {}

    Counts counts() {
        long tables = 0;
        long buckets = 0;
        long[] perShard = new long[shards.size()];
        for (TableInfo table : tables()) {
            tables++;
            for (BucketId bucket : table.buckets()) {
                buckets++;
                perShard[bucket.shard(shards.size())]++;
            }
        }
        return new Counts(tables, buckets, perShard);
    }

    /** Of every table that the tiering job copies. */
    List<TierLag> tierLags(long nowMillis) {
        List<TierLag> lags = new ArrayList<>();
        for (TableInfo table : tables()) {
            if (table.descriptor().lakeEnabled()) {
                lags.add(tierLag(table, nowMillis));
            }
        }
        return lags;
    }

    private TierLag tierLag(TableInfo table, long nowMillis) {
        Optional<LakeTiering> tiering = metadata.tiering(table.id());
        Map<BucketId, Long> tiered = tiering.map(LakeTiering::endOffsets).orElse(Map.of());
        long pending = 0;
        for (BucketId bucket : table.buckets()) {
            pending += Math.max(0, logEnd(bucket) - tiered.getOrDefault(bucket, 0L));
        }
        long since = tiering.map(LakeTiering::tieredUpToMillis).orElse(table.createdAtMillis());
        return new TierLag(table, pending, pending == 0 ? 0 : Math.max(0, nowMillis - since));
    }

    private long logEnd(BucketId bucket) {
        ShardReads shard = shards.get(bucket.shard(shards.size()));
        try {
            return shard.knows(bucket.table()) ? shard.logEnd(bucket) : 0;
        } catch (StorageException dropped) {
            return 0;
        }
    }

    private List<TableInfo> tables() {
        List<TableInfo> tables = new ArrayList<>();
        for (TableId id : metadata.tableIds()) {
            metadata.table(id).ifPresent(tables::add);
        }
        return tables;
    }
}

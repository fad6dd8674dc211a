package io.flinkfluss.storage.server.monitoring;

import io.flinkfluss.storage.server.monitoring.NodeMonitor.Totals;
import io.flinkfluss.storage.server.monitoring.ServerMetrics.Values;
import io.flinkfluss.storage.server.replication.GroupFigures;
import io.flinkfluss.storage.server.replication.LogFlushes;
import io.flinkfluss.storage.server.replication.ProposerFigures;
import io.flinkfluss.storage.server.runtime.CheckpointFigures;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** Gives the metrics that are looked up rather than counted; looks once per reading. */
public final class NodeGauges {
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final ServerMetrics metrics;
    private final NodeMonitor node;
    private final ServerClock clock;
    private volatile Look look;

    private NodeGauges(ServerMetrics metrics, NodeMonitor node, ServerClock clock) {
        this.metrics = metrics;
        this.node = node;
        this.clock = clock;
        look = look();
    }

    /** What is shown by one reading. */
    private record Look(
            Map<String, GroupFigures> groups,
            TableFigures.Counts tables,
            List<TableFigures.TierLag> tierLags,
            Totals shards) {}

    public static void register(ServerMetrics metrics, NodeMonitor node, ServerClock clock) {
        NodeGauges gauges = new NodeGauges(metrics, node, clock);
        metrics.beforeScrape(() -> gauges.look = gauges.look());
        gauges.requests();
        gauges.tables();
        gauges.disk();
        gauges.memory();
        gauges.kv();
        gauges.groups();
        gauges.flushes();
        gauges.proposers();
        gauges.checkpoints();
    }

    private Look look() {
        return new Look(
                node.groups(),
                node.tables().counts(),
                node.tables().tierLags(clock.millis()),
                node.totals());
    }

    private void requests() {
        one(ServerMetric.REQUEST_QUEUE, now -> node.parts().threads().waitingTasks());
        one(ServerMetric.IN_FLIGHT_BYTES, now -> node.inFlight().usedBytes());
        one(ServerMetric.IN_FLIGHT_LIMIT, now -> node.inFlight().limitBytes());
    }

    private void tables() {
        one(ServerMetric.TABLE_COUNT, now -> now.tables.tables());
        one(ServerMetric.BUCKET_COUNT, now -> now.tables.buckets());
        one(ServerMetric.REPLICA_COUNT, now -> now.tables.buckets());
        one(ServerMetric.LEADER_COUNT, this::ledBuckets);
        one(ServerMetric.LOG_SIZE, now -> now.shards.logBytes());
        one(ServerMetric.REMOTE_LOG_SIZE, now -> now.shards.remoteLogBytes());
        one(ServerMetric.SEGMENT_COUNT, now -> now.shards.segments());
        metrics.gauge(
                ServerMetric.TABLE_TIER_LAG,
                values -> look.tierLags.forEach(lag -> set(values, lag, lag.millis())));
        metrics.gauge(
                ServerMetric.TABLE_PENDING_RECORDS,
                values -> look.tierLags.forEach(lag -> set(values, lag, lag.pendingRows())));
    }

    private static void set(Values values, TableFigures.TierLag lag, double value) {
        values.set(value, lag.table().path().database(), lag.table().path().table());
    }

    private double ledBuckets(Look now) {
        long led = 0;
        for (int shard = 0; shard < now.tables.perShard().length; shard++) {
            GroupFigures group = now.groups.get("shard-" + shard);
            led += group != null && group.leading() ? now.tables.perShard()[shard] : 0;
        }
        return led;
    }

    private void disk() {
        one(ServerMetric.DISK_USED, now -> node.parts().disk().figures().usedBytes());
        one(ServerMetric.DISK_TOTAL, now -> node.parts().disk().figures().totalBytes());
        one(
                ServerMetric.DISK_USAGE_RATIO,
                now -> {
                    double total = node.parts().disk().figures().totalBytes();
                    return total == 0 ? 0 : node.parts().disk().figures().usedBytes() / total;
                });
        one(
                ServerMetric.DISK_WRITE_LOCKED,
                now -> node.parts().disk().figures().refusesWrites() ? 1 : 0);
    }

    private void memory() {
        metrics.gauge(
                ServerMetric.DIRECT_MEMORY_USED,
                values ->
                        node.memory()
                                .direct()
                                .forEach((pool, bytes) -> values.set(bytes.usedBytes(), pool)));
        metrics.gauge(
                ServerMetric.DIRECT_MEMORY_LIMIT,
                values ->
                        node.memory()
                                .direct()
                                .forEach((pool, bytes) -> values.set(bytes.limitBytes(), pool)));
    }

    private void kv() {
        one(ServerMetric.KV_SIZE, now -> now.shards.kvBytes());
        one(ServerMetric.ROCKSDB_MEMORY, now -> node.kvMemory().usedBytes());
        one(
                ServerMetric.ROCKSDB_CACHE,
                now -> Math.max(0, node.kvMemory().usedBytes() - now.shards.memtableBytes()));
        one(ServerMetric.ROCKSDB_CACHE_LIMIT, now -> node.kvMemory().limitBytes());
        one(ServerMetric.ROCKSDB_MEMTABLES, now -> now.shards.memtableBytes());
        one(
                ServerMetric.ROCKSDB_MEMTABLES_LIMIT,
                now -> node.parts().resources().kvMemory().config().writeBufferBytes());
        one(ServerMetric.ROCKSDB_LEVEL_0, now -> now.shards.level0Files());
        one(ServerMetric.ROCKSDB_COMPACTIONS, now -> now.shards.compactionPending() ? 1 : 0);
        one(ServerMetric.ROCKSDB_STALLED, now -> now.shards.stoppedShards());
    }

    private void groups() {
        perGroup(ServerMetric.GROUP_LEADER, group -> group.leading() ? 1 : 0);
        perGroup(ServerMetric.GROUP_TERM, GroupFigures::term);
        perGroup(ServerMetric.GROUP_APPLIED, GroupFigures::appliedIndex);
        perGroup(ServerMetric.GROUP_LAG, GroupFigures::lag);
        perGroup(ServerMetric.GROUP_LOG_SIZE, GroupFigures::logBytes);
        perGroup(ServerMetric.GROUP_SINCE_CHECKPOINT, GroupFigures::bytesSinceCheckpoint);
        perGroup(
                ServerMetric.GROUP_REPLAY_TIME,
                group -> group.applyTimeSinceCheckpoint().toMillis());
    }

    private void flushes() {
        metrics.gauge(
                ServerMetric.GROUP_FLUSH_TIME,
                values ->
                        forEachGroup(
                                group -> {
                                    LogFlushes flushes =
                                            node.parts().replication().flushes(group.name());
                                    values.set(flushes.medianMillis(), group.name(), "0.5");
                                    values.set(flushes.p99Millis(), group.name(), "0.99");
                                    values.set(flushes.longestMillis(), group.name(), "1");
                                }));
        metrics.counter(
                ServerMetric.GROUP_FLUSHES,
                values ->
                        forEachGroup(
                                group ->
                                        values.set(
                                                node.parts()
                                                        .replication()
                                                        .flushes(group.name())
                                                        .count(),
                                                group.name())));
    }

    private void proposers() {
        perProposer(ServerMetric.GROUP_QUEUED, ProposerFigures::queuedCommands);
        perProposer(ServerMetric.GROUP_QUEUED_BYTES, ProposerFigures::queuedBytes);
        perProposer(ServerMetric.GROUP_IN_FLIGHT, ProposerFigures::entriesInFlight);
    }

    private void perProposer(ServerMetric metric, ToDoubleFunction<ProposerFigures> value) {
        metrics.gauge(
                metric,
                values ->
                        forEachGroup(
                                group ->
                                        values.set(
                                                value.applyAsDouble(group.proposer().figures()),
                                                group.name())));
    }

    private void checkpoints() {
        metrics.gauge(
                ServerMetric.GROUP_CHECKPOINT_AGE,
                values -> perCheckpointer(values, figures -> millis(figures.age().toNanos())));
        metrics.gauge(
                ServerMetric.GROUP_CHECKPOINT_TIME,
                values -> perCheckpointer(values, figures -> millis(figures.last().toNanos())));
        metrics.counter(
                ServerMetric.GROUP_CHECKPOINTS,
                values -> perCheckpointer(values, CheckpointFigures::made));
        metrics.counter(
                ServerMetric.GROUP_CHECKPOINT_FAILURES,
                values -> perCheckpointer(values, CheckpointFigures::failed));
    }

    private void perCheckpointer(Values values, ToDoubleFunction<CheckpointFigures> value) {
        forEachGroup(
                group ->
                        values.set(
                                value.applyAsDouble(group.checkpointer().figures()), group.name()));
    }

    private static double millis(long nanos) {
        return nanos / NANOS_PER_MILLI;
    }

    private void perGroup(ServerMetric metric, ToDoubleFunction<GroupFigures> value) {
        metrics.gauge(
                metric,
                values ->
                        look.groups.forEach(
                                (name, group) -> values.set(value.applyAsDouble(group), name)));
    }

    private void forEachGroup(Consumer<NodeParts.Group> action) {
        node.parts().groups().forEach(action);
    }

    private void one(ServerMetric metric, ToDoubleFunction<Look> value) {
        metrics.gauge(metric, values -> values.set(value.applyAsDouble(look)));
    }
}

package io.flinkfluss.storage.server.monitoring;

import io.flinkfluss.storage.api.wire.NodeStatus;
import io.flinkfluss.storage.server.kv.KvFigures;
import io.flinkfluss.storage.server.replication.GroupFigures;
import io.flinkfluss.storage.server.runtime.DiskFigures;
import io.flinkfluss.storage.server.runtime.MemoryFigures;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.shard.ShardFigures;
import io.flinkfluss.storage.server.shard.ShardReads;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Looks at the parts of a running node: what it is, and why it is not ready. Any thread. */
public final class NodeMonitor {
    /** A replica with fewer entries to apply is as good as current. */
    private static final long CAUGHT_UP_ENTRIES = 1_000;

    private final Identity identity;
    private final NodeParts parts;
    private final ServerClock clock;
    private final LongSupplier inFlightBytes;
    private final BooleanSupplier started;
    private final TableFigures tables;
    private final MemoryReport memory;

    /** What does not change while the node runs. */
    public record Identity(String nodeId, String release, long inFlightLimit) {}

    /**
     * @param inFlightBytes what the transport has taken in and not answered
     * @param started whether the node has applied everything that it found at its start
     */
    public NodeMonitor(
            Identity identity,
            NodeParts parts,
            ServerClock clock,
            LongSupplier inFlightBytes,
            BooleanSupplier started) {
        this.identity = identity;
        this.parts = parts;
        this.clock = clock;
        this.inFlightBytes = inFlightBytes;
        this.started = started;
        tables = new TableFigures(parts.metadata(), parts.shards());
        memory = new MemoryReport(parts.resources());
    }

    NodeParts parts() {
        return parts;
    }

    TableFigures tables() {
        return tables;
    }

    MemoryReport memory() {
        return memory;
    }

    MemoryFigures inFlight() {
        return new MemoryFigures(inFlightBytes.getAsLong(), identity.inFlightLimit());
    }

    MemoryFigures kvMemory() {
        return new MemoryFigures(
                parts.resources().kvMemory().usedBytes(),
                parts.resources().kvMemory().config().cacheBytes());
    }

    /** By the name of the group. */
    Map<String, GroupFigures> groups() {
        Map<String, GroupFigures> figures = new TreeMap<>();
        for (NodeParts.Group group : parts.groups()) {
            figures.put(group.name(), parts.replication().figures(group.name()));
        }
        return figures;
    }

    /** What all shards here take together, and the worst of each sign of trouble. */
    Totals totals() {
        Totals totals = new Totals(0, 0, 0, 0, 0, 0, false, 0);
        for (ShardReads shard : parts.shards()) {
            totals = totals.plus(shard.figures());
        }
        return totals;
    }

    /** Why the node is not ready; empty when it is. */
    public List<String> obstacles() {
        List<String> obstacles = new ArrayList<>();
        groups().forEach(
                        (name, group) -> {
                            if (group.leader().isEmpty()) {
                                obstacles.add("group " + name + " has no leader");
                            } else if (group.leader().equals(identity.nodeId())
                                    && !group.leading()) {
                                obstacles.add("this node begins to lead group " + name);
                            }
                            if (group.lag() > CAUGHT_UP_ENTRIES) {
                                obstacles.add(
                                        "group "
                                                + name
                                                + " has "
                                                + group.lag()
                                                + " entries to apply");
                            }
                        });
        if (obstacles.isEmpty() && !started.getAsBoolean()) {
            obstacles.add("the node is starting and has not applied everything yet");
        }
        return obstacles;
    }

    public NodeStatus status() {
        TableFigures.Counts counts = tables.counts();
        long pending = 0;
        long lag = -1;
        for (TableFigures.TierLag table : tables.tierLags(clock.millis())) {
            pending += table.pendingRows();
            lag = Math.max(lag, table.millis());
        }
        Totals totals = totals();
        return new NodeStatus(
                identity.nodeId(),
                identity.release(),
                new NodeStatus.Times(
                        ManagementFactory.getRuntimeMXBean().getStartTime(), clock.millis()),
                obstacles(),
                new NodeStatus.Content(
                        counts.tables(),
                        counts.buckets(),
                        totals.logBytes,
                        totals.kvBytes,
                        pending,
                        lag),
                resources(),
                statusOfGroups());
    }

    private NodeStatus.Resources resources() {
        DiskFigures disk = parts.disk().figures();
        return new NodeStatus.Resources(
                new NodeStatus.Usage(disk.usedBytes(), disk.totalBytes()),
                usage(memory.heap()),
                usage(memory.directTotal()),
                usage(kvMemory()),
                usage(inFlight()),
                disk.refusesWrites());
    }

    private List<NodeStatus.Group> statusOfGroups() {
        List<NodeStatus.Group> status = new ArrayList<>();
        groups().forEach(
                        (name, group) ->
                                status.add(
                                        new NodeStatus.Group(
                                                name,
                                                group.leading(),
                                                group.leader(),
                                                group.term(),
                                                group.committedIndex(),
                                                group.appliedIndex(),
                                                group.logBytes(),
                                                group.bytesSinceCheckpoint())));
        return status;
    }

    private static NodeStatus.Usage usage(MemoryFigures figures) {
        return new NodeStatus.Usage(
                Math.max(0, figures.usedBytes()), Math.max(0, figures.limitBytes()));
    }

    /** Sums and maxima over shards. */
    record Totals(
            long segments,
            long logBytes,
            long remoteLogBytes,
            long kvBytes,
            long memtableBytes,
            long level0Files,
            boolean compactionPending,
            long stoppedShards) {
        Totals plus(ShardFigures shard) {
            KvFigures kv = shard.kv();
            return new Totals(
                    segments + shard.log().segments(),
                    logBytes + shard.log().bytes(),
                    remoteLogBytes + shard.log().remoteBytes(),
                    kvBytes + kv.fileBytes(),
                    memtableBytes + kv.memtableBytes(),
                    Math.max(level0Files, kv.level0Files()),
                    compactionPending || kv.compactionPending(),
                    stoppedShards + (kv.writeStopped() ? 1 : 0));
        }
    }
}

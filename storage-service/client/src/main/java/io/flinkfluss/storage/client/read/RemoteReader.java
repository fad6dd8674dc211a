package io.flinkfluss.storage.client.read;

import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.ClusterOperation;
import io.flinkfluss.storage.client.routing.Cluster;
import io.flinkfluss.storage.client.transport.NodeChannels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;

/** Logs and snapshots over the wire. Any thread may use it. */
public final class RemoteReader implements LogReader, AutoCloseable {
    private final Cluster cluster;
    private final ScheduledExecutorService timer;
    private final ReadSettings settings;
    private final Set<Batches<?>> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean closed;

    public RemoteReader(Cluster cluster, ScheduledExecutorService timer, ReadSettings settings) {
        this.cluster = cluster;
        this.timer = timer;
        this.settings = settings;
    }

    @Override
    public Batches<LogBatch> scan(ScanRequest request) {
        return start(new LogSource(request));
    }

    /** As {@link io.flinkfluss.storage.api.KvReader#scan}. */
    public Batches<RowBatch> scan(KvScanRequest request) {
        return start(new RowSource(request));
    }

    @Override
    public Map<BucketId, Long> offsets(List<BucketId> buckets, OffsetSpec spec) {
        Map<String, List<BucketId>> byLeader = new HashMap<>();
        for (BucketId bucket : buckets) {
            String leader = cluster.leader(bucket).map(node -> node.address()).orElse("");
            byLeader.computeIfAbsent(leader, unknown -> new ArrayList<>()).add(bucket);
        }
        Map<BucketId, Long> offsets = new TreeMap<>();
        for (List<BucketId> group : byLeader.values()) {
            offsets.putAll(offsetsOfGroup(group, spec));
        }
        return offsets;
    }

    private Map<BucketId, Long> offsetsOfGroup(List<BucketId> group, OffsetSpec spec) {
        try {
            return cluster.callLeader(group.get(0), new ClusterOperation.GetOffsets(group, spec));
        } catch (StorageException e) {
            if (!Cluster.isWorthAnotherTry(e) || group.size() == 1) {
                throw e;
            }
            // The leaders of the group have parted.
            Map<BucketId, Long> offsets = new TreeMap<>();
            for (BucketId bucket : group) {
                offsets.putAll(offsetsOfGroup(List.of(bucket), spec));
            }
            return offsets;
        }
    }

    private <B> Batches<B> start(StreamSource<B> source) {
        if (closed) {
            throw NodeChannels.closed();
        }
        RepairingBatches<B> batches =
                new RepairingBatches<>(
                        source,
                        new RepairingBatches.Environment(
                                cluster, timer, settings, bytes, open::remove));
        open.add(batches);
        batches.start();
        return batches;
    }

    /** Closes every open read. */
    @Override
    public void close() {
        closed = true;
        List.copyOf(open).forEach(Batches::close);
    }
}

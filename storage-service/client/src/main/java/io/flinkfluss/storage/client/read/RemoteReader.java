package io.flinkfluss.storage.client.read;

import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.ClusterOperation;
import io.flinkfluss.storage.client.routing.Cluster;
import io.flinkfluss.storage.client.transport.NodeChannels;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Logs and snapshots over the wire. Any thread may use it. */
public final class RemoteReader implements LogReader, AutoCloseable {
    private static final int SWEEPS_PER_SILENCE = 4;

    private final Cluster cluster;
    private final ScheduledExecutorService timer;
    private final ReadSettings settings;
    private final Set<RepairingBatches<?>> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean closed;

    public RemoteReader(Cluster cluster, ScheduledExecutorService timer, ReadSettings settings) {
        this.cluster = cluster;
        this.timer = timer;
        this.settings = settings;
        long sweep = Math.max(10, cluster.silence().toMillis() / SWEEPS_PER_SILENCE);
        var unused =
                timer.scheduleWithFixedDelay(
                        this::followLeaders, sweep, sweep, TimeUnit.MILLISECONDS);
    }

    @Override
    public Batches<LogBatch> scan(ScanRequest request) {
        return start(
                new LogSource(
                        settings.readFrom() == ReadFrom.ANY
                                ? request.from(ReadFrom.ANY)
                                : request));
    }

    /** As {@link io.flinkfluss.storage.api.KvReader#scan}. */
    public Batches<RowBatch> scan(KvScanRequest request) {
        return start(new RowSource(request));
    }

    @Override
    public Map<BucketId, Long> offsets(List<BucketId> buckets, OffsetSpec spec) {
        if (buckets.isEmpty()) {
            return Map.of();
        }
        // Each node finds out what is current; one that leads some of it need not ask for that.
        return cluster.callLeader(buckets.get(0), new ClusterOperation.GetOffsets(buckets, spec));
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

    /**
     * An idle read hears nothing, and so does one whose node sleeps: now and then the nodes are
     * asked which it is.
     */
    private void followLeaders() {
        boolean waiting = false;
        for (RepairingBatches<?> batches : open) {
            waiting |= batches.followLeader();
        }
        if (waiting) {
            cluster.refreshSometimes();
        }
    }

    /** Closes every open read. */
    @Override
    public void close() {
        closed = true;
        List.copyOf(open).forEach(Batches::close);
    }
}

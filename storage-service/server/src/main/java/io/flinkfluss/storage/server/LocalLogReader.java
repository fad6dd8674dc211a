package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.server.log.LogCursor;
import io.flinkfluss.storage.server.replication.LeadershipListeners;
import io.flinkfluss.storage.server.replication.ReplicatedGroup;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.shard.ShardReads;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Reads bucket logs of this node's replicas. A replica shows only committed rows, so a read is
 * never wrong, but one that follows is late: it serves only who accepts that.
 */
final class LocalLogReader implements LogReader {
    private final Shards shards;
    private final ServerClock clock;
    private final Duration deadline;

    LocalLogReader(Shards shards, ServerClock clock, Duration deadline) {
        this.shards = shards;
        this.clock = clock;
        this.deadline = deadline;
    }

    @Override
    public Batches<LogBatch> scan(ScanRequest request) {
        ReplicatedGroup group = shards.of(request.bucket()).group();
        Runnable fence = () -> {};
        if (request.readFrom() == ReadFrom.LEADER) {
            fence = group::requireLeader;
            fence.run();
        } else {
            // What the reader has seen elsewhere is here too.
            Answers.await(group.barrier(), deadline, "reading bucket " + request.bucket());
        }
        ShardReads reads = shards.reads(request.bucket());
        LogCursor log = reads.openLog(request);
        PushedBatches<LogBatch> batches = new PushedBatches<>(new CursorOfLog(log, fence), clock);
        log.onLoaded(batches::signal);
        ShardReads.Registration commits;
        try {
            commits = reads.onCommit(request.bucket(), batches::signal);
        } catch (StorageException dropped) {
            log.close();
            throw dropped;
        }
        LeadershipListeners.Registration leaders = group.onLeadership(batches::signal);
        batches.registered(
                () -> {
                    commits.close();
                    leaders.close();
                });
        batches.signal();
        return batches;
    }

    /** Any replica may tell them: each asks its leader what is current. */
    @Override
    public Map<BucketId, Long> offsets(List<BucketId> buckets, OffsetSpec spec) {
        CompletableFuture<?>[] barriers =
                buckets.stream()
                        .map(shards::of)
                        .distinct()
                        .map(shard -> shard.group().barrier())
                        .toArray(CompletableFuture[]::new);
        Answers.await(CompletableFuture.allOf(barriers), deadline, "the offsets of " + buckets);
        Map<BucketId, Long> offsets = new TreeMap<>();
        for (BucketId bucket : buckets) {
            offsets.put(bucket, offset(shards.reads(bucket), bucket, spec));
        }
        return offsets;
    }

    private static long offset(ShardReads reads, BucketId bucket, OffsetSpec spec) {
        if (spec instanceof OffsetSpec.Earliest) {
            return reads.logStart(bucket);
        }
        if (spec instanceof OffsetSpec.AtTime time) {
            return reads.offsetAt(bucket, time.millis());
        }
        return reads.logEnd(bucket);
    }

    /**
     * A log's cursor as {@link PushedBatches} uses it.
     *
     * @param fence throws when this node may not serve the read any more
     */
    private record CursorOfLog(LogCursor log, Runnable fence)
            implements PushedBatches.Cursor<LogBatch> {
        @Override
        public Optional<LogBatch> next() {
            fence.run();
            return log.next();
        }

        @Override
        public boolean isFinished() {
            return log.isFinished();
        }

        @Override
        public void close() {
            log.close();
        }
    }
}

package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.server.log.LogCursor;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.shard.ShardReads;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads bucket logs of local shards. */
final class LocalLogReader implements LogReader {
    private final Shards shards;
    private final ServerClock clock;

    LocalLogReader(Shards shards, ServerClock clock) {
        this.shards = shards;
        this.clock = clock;
    }

    @Override
    public Batches<LogBatch> scan(ScanRequest request) {
        ShardReads reads = shards.reads(request.bucket());
        PushedBatches<LogBatch> batches =
                new PushedBatches<>(new CursorOfLog(reads.openLog(request)), clock);
        batches.registered(reads.onCommit(request.bucket(), batches::signal));
        batches.signal();
        return batches;
    }

    @Override
    public Map<BucketId, Long> offsets(List<BucketId> buckets, OffsetSpec spec) {
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

    /** A log's cursor as {@link PushedBatches} uses it. */
    private record CursorOfLog(LogCursor log) implements PushedBatches.Cursor<LogBatch> {
        @Override
        public Optional<LogBatch> next() {
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

package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.KvReader;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.server.kv.KvCursor;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.shard.ShardAnswer;
import io.flinkfluss.storage.server.shard.ShardCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** Reads key-value state of local shards; lookups run on the workers. */
final class LocalKvReader implements KvReader {
    private final Metadata metadata;
    private final Shards shards;
    private final Executor workers;
    private final ServerClock clock;
    private final Duration deadline;

    LocalKvReader(
            Metadata metadata,
            Shards shards,
            Executor workers,
            ServerClock clock,
            Duration deadline) {
        this.metadata = metadata;
        this.shards = shards;
        this.workers = workers;
        this.clock = clock;
        this.deadline = deadline;
    }

    @Override
    public CompletableFuture<List<Optional<EncodedRow>>> lookup(
            BucketId bucket, List<byte[]> keys) {
        return onWorker(() -> shards.reads(bucket).lookup(bucket, keys));
    }

    @Override
    public CompletableFuture<List<EncodedRow>> prefixLookup(BucketId bucket, byte[] prefix) {
        return onWorker(() -> shards.reads(bucket).prefixLookup(bucket, prefix));
    }

    @Override
    public KvSnapshot snapshot(TableId id) {
        TableInfo table = shards.table(id);
        if (!table.hasPrimaryKey()) {
            throw new StorageException(
                    ErrorCode.UNSUPPORTED,
                    "table " + table.path() + " is a log table and has no state; read its log");
        }
        long snapshotId = metadata.newNumber();
        List<CompletableFuture<ShardAnswer.Frozen>> parts = new ArrayList<>();
        for (Shard shard : shards.of(table)) {
            parts.add(freeze(shard, table, snapshotId));
        }
        Map<BucketId, Long> offsets = new TreeMap<>();
        Map<BucketId, Long> counts = new TreeMap<>();
        table.buckets().forEach(bucket -> offsets.put(bucket, 0L));
        table.buckets().forEach(bucket -> counts.put(bucket, 0L));
        for (CompletableFuture<ShardAnswer.Frozen> part : parts) {
            ShardAnswer.Frozen frozen =
                    Answers.await(part, deadline, "the snapshot of table " + table.path());
            offsets.putAll(frozen.logOffsets());
            counts.putAll(frozen.rowCounts());
        }
        return new KvSnapshot(id, snapshotId, offsets, counts);
    }

    private static CompletableFuture<ShardAnswer.Frozen> freeze(
            Shard shard, TableInfo table, long snapshotId) {
        ShardCommand take = new ShardCommand.TakeSnapshot(table.id(), snapshotId);
        if (shard.reads().knows(table.id())) {
            return shard.propose(take, ShardAnswer.Frozen.class);
        }
        return shard.propose(new ShardCommand.OpenTable(table), ShardAnswer.Done.class)
                .thenCombine(
                        shard.propose(take, ShardAnswer.Frozen.class), (opened, frozen) -> frozen);
    }

    @Override
    public Batches<RowBatch> scan(KvScanRequest request) {
        KvCursor cursor = shards.reads(request.bucket()).openKv(request, clock.millis());
        PushedBatches<RowBatch> batches = new PushedBatches<>(new CursorOfRows(cursor), clock);
        batches.signal();
        return batches;
    }

    @Override
    public void release(KvSnapshot snapshot) {
        List<CompletableFuture<?>> releases = new ArrayList<>();
        for (Shard shard : shards.all()) {
            releases.add(
                    shard.propose(
                            new ShardCommand.ReleaseSnapshot(snapshot.snapshotId()),
                            ShardAnswer.Done.class));
        }
        Answers.await(
                CompletableFuture.allOf(releases.toArray(CompletableFuture[]::new)),
                deadline,
                "releasing snapshot " + snapshot.snapshotId());
    }

    private <T> CompletableFuture<T> onWorker(Supplier<T> task) {
        try {
            return CompletableFuture.supplyAsync(task, workers);
        } catch (StorageException busy) {
            return CompletableFuture.failedFuture(busy);
        }
    }

    /** A snapshot's cursor as {@link PushedBatches} uses it. */
    private static final class CursorOfRows implements PushedBatches.Cursor<RowBatch> {
        private final KvCursor rows;
        private boolean finished;

        CursorOfRows(KvCursor rows) {
            this.rows = rows;
        }

        @Override
        public Optional<RowBatch> next() {
            Optional<RowBatch> next = finished ? Optional.empty() : rows.next();
            finished |= next.isEmpty();
            return next;
        }

        @Override
        public boolean isFinished() {
            return finished;
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}

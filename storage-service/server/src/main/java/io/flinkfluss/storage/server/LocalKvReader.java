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
import io.flinkfluss.storage.server.shard.ShardReads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Reads key-value state of this node's replicas. Lookups are linearizable and only the leader
 * answers them, on the workers; a snapshot is the same on every replica that has it.
 */
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
        return current(bucket, reads -> reads.lookup(bucket, keys));
    }

    @Override
    public CompletableFuture<List<EncodedRow>> prefixLookup(BucketId bucket, byte[] prefix) {
        return current(bucket, reads -> reads.prefixLookup(bucket, prefix));
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

    private CompletableFuture<ShardAnswer.Frozen> freeze(
            Shard shard, TableInfo table, long snapshotId) {
        ShardCommand open = new ShardCommand.OpenTable(table);
        ShardCommand take = new ShardCommand.TakeSnapshot(table.id(), snapshotId);
        if (!shard.group().isLeader()) {
            return shard.proposeAnywhere(
                    List.of(open, take), ShardAnswer.Frozen.class, clock.millis());
        }
        if (shard.reads().knows(table.id())) {
            return shard.propose(take, ShardAnswer.Frozen.class);
        }
        return shard.propose(open, ShardAnswer.Done.class)
                .thenCombine(
                        shard.propose(take, ShardAnswer.Frozen.class), (opened, frozen) -> frozen);
    }

    @Override
    public Batches<RowBatch> scan(KvScanRequest request) {
        Answers.await(
                shards.of(request.bucket()).group().barrier(),
                deadline,
                "reading snapshot " + request.snapshotId());
        KvCursor cursor = shards.reads(request.bucket()).openKv(request, clock.millis());
        PushedBatches<RowBatch> batches = new PushedBatches<>(new CursorOfRows(cursor), clock);
        batches.signal();
        return batches;
    }

    @Override
    public void release(KvSnapshot snapshot) {
        List<CompletableFuture<?>> releases = new ArrayList<>();
        ShardCommand release = new ShardCommand.ReleaseSnapshot(snapshot.snapshotId());
        for (Shard shard : shards.all()) {
            releases.add(
                    shard.group().isLeader()
                            ? shard.propose(release, ShardAnswer.Done.class)
                            : shard.proposeAnywhere(
                                    List.of(release), ShardAnswer.Done.class, clock.millis()));
        }
        Answers.await(
                CompletableFuture.allOf(releases.toArray(CompletableFuture[]::new)),
                deadline,
                "releasing snapshot " + snapshot.snapshotId());
    }

    /** Reads on a worker what is current; only on the leader. */
    private <T> CompletableFuture<T> current(BucketId bucket, Function<ShardReads, T> read) {
        return shards.of(bucket)
                .group()
                .leaderBarrier()
                .thenApplyAsync(current -> read.apply(shards.reads(bucket)), workers);
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

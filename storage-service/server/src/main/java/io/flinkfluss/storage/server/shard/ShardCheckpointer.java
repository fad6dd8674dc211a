package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.log.LogEnd;
import io.flinkfluss.storage.server.replication.Position;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes checkpoints of one opened shard. Between two entries only the cut is made: the key-value
 * state is copied by hard links and the ends of the logs are noted. What takes time happens on
 * background threads while entries are applied: what was appended is made durable all along, and
 * the rest of a checkpoint after its cut.
 */
final class ShardCheckpointer {
    /** So much that is not durable is made durable, whether a checkpoint is due or not. */
    private static final long SMOOTH_BYTES = 8L << 20;

    private final Checkpoints checkpoints;
    private final Storage storage;
    private final ShardTables tables;
    private final Executor background;
    private final AtomicBoolean smoothing = new AtomicBoolean();

    /** Everything that still runs on background threads. */
    private volatile CompletableFuture<?> running = CompletableFuture.completedFuture(null);

    private CompletableFuture<Position> made = CompletableFuture.completedFuture(Position.NONE);

    ShardCheckpointer(
            Checkpoints checkpoints, Storage storage, ShardTables tables, Executor background) {
        this.checkpoints = checkpoints;
        this.storage = storage;
        this.tables = tables;
        this.background = background;
    }

    /** After each entry: keeps small what a checkpoint will have to write. */
    void smooth() {
        if (storage.logs().unforcedBytes() >= SMOOTH_BYTES
                && smoothing.compareAndSet(false, true)) {
            var unused =
                    run(() -> storage.logs().force())
                            .whenComplete((done, failure) -> smoothing.set(false));
        }
    }

    /** Makes durable most of what a checkpoint would have to; any thread. */
    CompletableFuture<Void> prepare() {
        return run(
                () -> {
                    storage.logs().force();
                    storage.kv().flush();
                });
    }

    /**
     * On the applying thread.
     *
     * @return completes when the checkpoint is durable, with the position up to which the log may
     *     be deleted
     */
    CompletableFuture<Position> make(
            Position applied,
            long lastMillis,
            long bornMillis,
            Map<BucketId, BucketState> buckets) {
        if (!made.isDone()) {
            return made;
        }
        if (applied.index() <= checkpoints.newest().index()) {
            return CompletableFuture.completedFuture(checkpoints.fallback());
        }
        Manifest manifest =
                new Manifest(
                        applied,
                        lastMillis,
                        bornMillis,
                        tables.all(),
                        present(buckets, lastMillis),
                        storage.snapshots().tables(),
                        java.util.List.of());
        storage.logs().setAsideUnneeded(neededTables());
        Checkpoints.Unfinished cut = checkpoints.begin(manifest);
        storage.kv().remember(Storage.mark(applied));
        storage.kv().checkpoint(cut.kv());
        made = run(() -> finish(cut)).thenApply(done -> checkpoints.fallback());
        return made;
    }

    private Map<BucketId, Manifest.Bucket> present(
            Map<BucketId, BucketState> buckets, long lastMillis) {
        Map<BucketId, LogEnd> ends = storage.logs().ends();
        Map<BucketId, Manifest.Bucket> present = new TreeMap<>();
        buckets.forEach(
                (id, bucket) -> {
                    bucket.writers().removeForgotten(lastMillis);
                    present.put(
                            id,
                            new Manifest.Bucket(
                                    ends.get(id), bucket.rowCount(), bucket.writers().copy()));
                });
        return present;
    }

    private void finish(Checkpoints.Unfinished cut) {
        storage.logs().force();
        storage.snapshots().force();
        checkpoints.finish(cut);
        storage.logs().deleteUnreferenced(this::neededTables);
        storage.logs().deleteFiles(checkpoints.logs());
    }

    private Set<TableId> neededTables() {
        Set<TableId> needed = new TreeSet<>(tables.ids());
        needed.addAll(checkpoints.tables());
        return needed;
    }

    private CompletableFuture<Void> run(Runnable work) {
        CompletableFuture<Void> done;
        try {
            done = CompletableFuture.runAsync(work, background);
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        synchronized (this) {
            running = CompletableFuture.allOf(running.exceptionally(failed -> null), done);
        }
        return done;
    }

    /** Waits for what runs in the background; the executor bounds how long that takes. */
    void awaitIdle() {
        running.exceptionally(failed -> null).join();
    }
}

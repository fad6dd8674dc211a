package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.kv.FrozenTable;
import io.flinkfluss.storage.server.log.LogEnd;
import io.flinkfluss.storage.server.replication.Position;
import io.flinkfluss.storage.server.replication.ReplicatedState;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One shard: applies {@link ShardCommands} in order to bucket logs and key-value state. One thread
 * applies and makes checkpoints; {@link #reads} may be used by any.
 *
 * <p>A restart goes back to the newest checkpoint and deletes everything written later; the entries
 * after it are applied again and give the same bytes, because applying depends on nothing but the
 * entries and the state. So neither appends nor the key-value state need to be durable before a
 * checkpoint.
 */
public final class ShardState implements ReplicatedState {
    private static final ShardAnswer DONE = new ShardAnswer.Done();

    private final Checkpoints checkpoints;
    private final Storage storage;
    private final ShardTables tables = new ShardTables();
    private final ShardReader reader;
    private final PutApplier puts;
    private final ShardBuckets buckets;
    private final ShardWrites writes;
    private final Position restored;

    private Position applied;
    private long lastMillis;

    private ShardState(
            ShardConfig config,
            ShardResources resources,
            Checkpoints checkpoints,
            Storage storage) {
        this.checkpoints = checkpoints;
        this.storage = storage;
        this.reader = new ShardReader(tables, storage, resources.allocator(), config);
        this.puts = new PutApplier(storage.kv(), resources.allocator());
        Manifest manifest = storage.manifest();
        restored = manifest.position();
        applied = restored;
        lastMillis = manifest.lastMillis();
        manifest.tables().forEach(tables::add);
        buckets = new ShardBuckets(storage.logs(), manifest.buckets());
        writes = new ShardWrites(config, tables, buckets, puts);
    }

    /**
     * Opens the shard in this folder at its newest usable checkpoint, or empty.
     *
     * @throws StorageException CORRUPT_DATA when there are checkpoints but none is usable
     */
    public static ShardState open(Path folder, ShardConfig config, ShardResources resources) {
        Checkpoints checkpoints = Checkpoints.open(folder.resolve("checkpoints"));
        Storage storage = Storage.open(folder, config, resources.kvMemory(), checkpoints);
        checkpoints.keepUpTo(storage.manifest().position());
        return new ShardState(config, resources, checkpoints, storage);
    }

    /** What can be read while entries are applied. */
    public ShardReads reads() {
        return reader;
    }

    @Override
    public Position restored() {
        return restored;
    }

    @Override
    public byte[] apply(Position position, long leaderMillis, ByteBuffer command) {
        // Time never goes back, whatever the clocks of successive leaders say.
        lastMillis = Math.max(lastMillis, leaderMillis);
        applied = position;
        storage.snapshots().expire(lastMillis);
        List<ShardCommand> commands = ShardCommands.decode(command);
        List<ShardAnswer> answers = new ArrayList<>(commands.size());
        for (ShardCommand each : commands) {
            answers.add(answer(each));
        }
        puts.write(Storage.mark(position));
        puts.endEntry();
        buckets.publish(tables);
        return ShardAnswers.encode(answers);
    }

    private ShardAnswer answer(ShardCommand command) {
        if (command instanceof ShardCommand.Append append) {
            return writes.append(append, lastMillis);
        } else if (command instanceof ShardCommand.Put put) {
            return writes.put(put, lastMillis);
        } else if (command instanceof ShardCommand.OpenTable open) {
            tables.add(open.table());
            return DONE;
        } else if (command instanceof ShardCommand.DropTable drop) {
            dropTable(drop.table());
            return DONE;
        } else if (command instanceof ShardCommand.TakeSnapshot take) {
            return takeSnapshot(take);
        } else if (command instanceof ShardCommand.ReleaseSnapshot release) {
            storage.snapshots().release(release.snapshotId());
            return DONE;
        }
        throw new IllegalStateException("no way to apply " + command);
    }

    private void dropTable(TableId id) {
        // Out of sight first: whoever found the table before finds its log dropped.
        Optional<TableState> dropped = tables.remove(id);
        storage.snapshots().dropTable(id);
        storage.logs().drop(id);
        buckets.dropTable(id);
        dropped.ifPresent(puts::dropTable);
        tables.forgetListeners(id);
    }

    private ShardAnswer takeSnapshot(ShardCommand.TakeSnapshot take) {
        Optional<TableState> table = tables.find(take.table());
        if (table.isEmpty()) {
            return new ShardAnswer.Refused(
                    ErrorCode.TABLE_NOT_FOUND, "table " + take.table() + " does not exist");
        }
        if (!table.get().info().hasPrimaryKey()) {
            return new ShardAnswer.Refused(
                    ErrorCode.UNSUPPORTED,
                    "table " + table.get().info().path() + " has no primary key; scan its log");
        }
        FrozenTable frozen = storage.snapshots().find(take.snapshotId()).orElse(null);
        if (frozen == null) {
            Map<BucketId, Long> offsets = new TreeMap<>();
            Map<BucketId, Long> rows = new TreeMap<>();
            buckets.all()
                    .forEach(
                            (id, bucket) -> {
                                if (id.table().equals(take.table())) {
                                    offsets.put(id, bucket.log().appendedEnd());
                                    rows.put(id, bucket.rowCount());
                                }
                            });
            frozen = new FrozenTable(take.snapshotId(), take.table(), offsets, rows, lastMillis);
            puts.write(Storage.mark(applied));
            storage.snapshots().take(storage.kv(), frozen);
        }
        return new ShardAnswer.Frozen(frozen.logOffsets(), frozen.rowCounts());
    }

    @Override
    public Position checkpoint() {
        if (applied.index() > checkpoints.newest().index()) {
            Map<BucketId, Manifest.Bucket> present = new TreeMap<>();
            Map<BucketId, LogEnd> ends = storage.logs().force();
            buckets.all()
                    .forEach(
                            (id, bucket) -> {
                                bucket.writers().removeForgotten(lastMillis);
                                present.put(
                                        id,
                                        new Manifest.Bucket(
                                                ends.get(id), bucket.rowCount(), bucket.writers()));
                            });
            Manifest manifest =
                    new Manifest(
                            applied,
                            lastMillis,
                            tables.all(),
                            present,
                            storage.snapshots().force(),
                            List.of());
            puts.remember(Storage.mark(applied));
            checkpoints.add(manifest, storage.kv()::checkpoint);
            Set<TableId> needed = new TreeSet<>(tables.ids());
            needed.addAll(checkpoints.tables());
            storage.logs().deleteUnreferenced(needed);
        }
        return checkpoints.fallback();
    }

    @Override
    public void close() {
        puts.close();
        storage.close();
    }
}

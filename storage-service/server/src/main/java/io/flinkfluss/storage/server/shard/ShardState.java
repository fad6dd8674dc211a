package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.kv.FrozenTable;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.Position;
import io.flinkfluss.storage.server.replication.ReplicatedState;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * One shard: applies {@link ShardCommands} in order to bucket logs and key-value state. One thread
 * applies and makes checkpoints; {@link #reads} may be used by any.
 *
 * <p>A restart goes back to the newest checkpoint and shows nothing that was written later; the
 * entries after it are applied again and give the same bytes, because applying depends on nothing
 * but the entries and the state. So neither appends nor the key-value state need to be durable
 * before a checkpoint.
 */
public final class ShardState implements ReplicatedState {
    private static final ShardAnswer DONE = new ShardAnswer.Done();

    private final ShardFolder folder;
    private final ShardConfig config;
    private final ShardResources resources;
    private final ShardTables tables = new ShardTables();
    private final ShardReader reader;
    private final CheckpointTransfer transfer;

    /** Replaced when a checkpoint of another node is installed. */
    private volatile OpenShard open;

    private Position restored;
    private Position applied;
    private long lastMillis;

    /** Of the first entry ever; 0 before. */
    private volatile long bornMillis;

    private ShardState(ShardFolder folder, ShardConfig config, ShardResources resources) {
        this.folder = folder;
        this.config = config;
        this.resources = resources;
        open = OpenShard.open(folder, config, resources, tables);
        reader = new ShardReader(tables, open.storage(), resources.allocator(), config);
        transfer = new ShardTransfer(folder, () -> open.checkpoints(), this::install);
        begin();
    }

    /**
     * Opens the shard in this folder at its newest usable checkpoint, or empty.
     *
     * @throws StorageException CORRUPT_DATA when there are checkpoints but none is usable
     */
    public static ShardState open(Path folder, ShardConfig config, ShardResources resources) {
        ShardFolder place = new ShardFolder(folder);
        place.finishSwap();
        return new ShardState(place, config, resources);
    }

    /** Receives another replica's checkpoint for a shard that cannot be opened. */
    public static CheckpointTransfer receiver(Path folder) {
        return ShardTransfer.receiver(new ShardFolder(folder));
    }

    /** Goes on from the checkpoint that was opened. */
    private void begin() {
        Manifest manifest = open.manifest();
        restored = manifest.position();
        applied = restored;
        lastMillis = manifest.lastMillis();
        bornMillis = manifest.bornMillis();
        tables.replace(manifest.tables());
    }

    private Position install() {
        Position received = transfer.verify();
        // Readers are told before the files under them go.
        open.storage().retire();
        open.close();
        folder.swap(received);
        open = OpenShard.open(folder, config, resources, tables);
        reader.replace(open.storage());
        begin();
        return restored;
    }

    /** The logs as housekeeping sees them. */
    public ShardLogs logs() {
        return new ShardLogs(tables, () -> open.storage(), () -> bornMillis);
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
        try {
            return applyEntry(position, leaderMillis, command);
        } catch (StorageException broken) {
            if (broken.code() == ErrorCode.CORRUPT_DATA) {
                // The next start must not trust these files unread.
                folder.markDamaged();
            }
            throw broken;
        }
    }

    private byte[] applyEntry(Position position, long leaderMillis, ByteBuffer command) {
        // Time never goes back, whatever the clocks of successive leaders say.
        lastMillis = Math.max(lastMillis, leaderMillis);
        bornMillis = bornMillis == 0 ? lastMillis : bornMillis;
        applied = position;
        open.storage().snapshots().expire(lastMillis);
        List<ShardCommand> commands = ShardCommands.decode(command);
        List<ShardAnswer> answers = new ArrayList<>(commands.size());
        for (ShardCommand each : commands) {
            answers.add(answer(each));
        }
        open.puts().write(Storage.mark(position));
        open.puts().endEntry();
        open.buckets().publish(tables);
        open.checkpointer().smooth();
        return ShardAnswers.encode(answers);
    }

    private ShardAnswer answer(ShardCommand command) {
        if (command instanceof ShardCommand.Append append) {
            return open.writes().append(append, lastMillis);
        } else if (command instanceof ShardCommand.Put put) {
            return open.writes().put(put, lastMillis);
        } else if (command instanceof ShardCommand.OpenTable opened) {
            tables.add(opened.table());
            return DONE;
        } else if (command instanceof ShardCommand.DropTable drop) {
            dropTable(drop.table());
            return DONE;
        } else if (command instanceof ShardCommand.TakeSnapshot take) {
            return takeSnapshot(take);
        } else if (command instanceof ShardCommand.ReleaseSnapshot release) {
            open.storage().snapshots().release(release.snapshotId());
            return DONE;
        } else if (command instanceof ShardCommand.RollLog roll) {
            return LogCommands.roll(open.buckets(), roll);
        } else if (command instanceof ShardCommand.TrimLog trim) {
            return LogCommands.trim(open.buckets(), trim);
        } else if (command instanceof ShardCommand.AddRemoteSegment add) {
            return LogCommands.addRemote(open.buckets(), add);
        }
        throw new IllegalStateException("no way to apply " + command);
    }

    private void dropTable(TableId id) {
        // Out of sight first: whoever found the table before finds its log dropped.
        Optional<TableState> dropped = tables.remove(id);
        open.storage().snapshots().dropTable(id);
        open.storage().logs().drop(id);
        open.buckets().dropTable(id);
        dropped.ifPresent(open.puts()::dropTable);
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
        FrozenTable frozen = open.storage().snapshots().find(take.snapshotId()).orElse(null);
        if (frozen == null) {
            Map<BucketId, Long> offsets = new TreeMap<>();
            Map<BucketId, Long> rows = new TreeMap<>();
            open.buckets()
                    .all()
                    .forEach(
                            (id, bucket) -> {
                                if (id.table().equals(take.table())) {
                                    offsets.put(id, bucket.log().appendedEnd());
                                    rows.put(id, bucket.rowCount());
                                }
                            });
            frozen = new FrozenTable(take.snapshotId(), take.table(), offsets, rows, lastMillis);
            open.puts().write(Storage.mark(applied));
            open.storage().snapshots().take(open.storage().kv(), frozen);
        }
        return new ShardAnswer.Frozen(frozen.logOffsets(), frozen.rowCounts());
    }

    @Override
    public CompletableFuture<Void> prepareCheckpoint() {
        return open.checkpointer().prepare();
    }

    @Override
    public CompletableFuture<Position> checkpoint() {
        return open.checkpointer().make(applied, lastMillis, bornMillis, open.buckets().all());
    }

    @Override
    public Optional<CheckpointTransfer> transfer() {
        return Optional.of(transfer);
    }

    @Override
    public void close() {
        open.close();
    }
}

package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.wire.ArrowBatchCheck;
import io.flinkfluss.storage.server.kv.FrozenTable;
import io.flinkfluss.storage.server.log.LogEnd;
import io.flinkfluss.storage.server.replication.Position;
import io.flinkfluss.storage.server.replication.ReplicatedState;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
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
    private static final ByteBuffer ALL_INSERT = ByteBuffer.allocate(0);
    private static final ShardAnswer DONE = new ShardAnswer.Done();

    private final ShardConfig config;
    private final Checkpoints checkpoints;
    private final Storage storage;
    private final ShardTables tables = new ShardTables();
    private final ShardReader reader;
    private final PutApplier puts;
    private final Map<BucketId, BucketState> buckets = new TreeMap<>();
    private final Position restored;

    /** Buckets whose log grew in the present entry. */
    private final Set<BucketId> grown = new LinkedHashSet<>();

    private Position applied;
    private long lastMillis;

    private ShardState(
            ShardConfig config,
            ShardResources resources,
            Checkpoints checkpoints,
            Storage storage) {
        this.config = config;
        this.checkpoints = checkpoints;
        this.storage = storage;
        this.reader = new ShardReader(tables, storage, resources.allocator(), config);
        this.puts = new PutApplier(storage.kv(), resources.allocator());
        Manifest manifest = storage.manifest();
        restored = manifest.position();
        applied = restored;
        lastMillis = manifest.lastMillis();
        manifest.tables().forEach(tables::add);
        manifest.buckets()
                .forEach(
                        (id, bucket) ->
                                buckets.put(
                                        id,
                                        new BucketState(
                                                storage.logs().obtain(id),
                                                bucket.writers(),
                                                bucket.rowCount())));
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
        for (BucketId bucket : grown) {
            buckets.get(bucket).log().publish();
        }
        grown.forEach(tables::tell);
        grown.clear();
        return ShardAnswers.encode(answers);
    }

    private ShardAnswer answer(ShardCommand command) {
        if (command instanceof ShardCommand.Append append) {
            return append(append);
        } else if (command instanceof ShardCommand.Put put) {
            return put(put);
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

    private ShardAnswer append(ShardCommand.Append append) {
        try {
            TableState table = tables.require(append.bucket());
            if (table.info().hasPrimaryKey()) {
                throw new StorageException(
                        ErrorCode.UNSUPPORTED,
                        "table "
                                + table.info().path()
                                + " has a primary key; its log is the changelog that upserts and"
                                + " deletes write. Put rows instead.");
            }
            checkBatch(table, append.batch().schemaId(), append.batch().sizeInBytes());
            ArrowBatchCheck.check(table.schema(), append.batch());
        } catch (StorageException e) {
            return refused(e);
        }
        BucketState bucket = bucket(append.bucket());
        Optional<ShardAnswer> known = checkStamp(bucket, append.stamp());
        if (known.isPresent()) {
            return known.get();
        }
        long offset = bucket.log().append(append.batch(), ALL_INSERT, append.stamp(), lastMillis);
        grown.add(append.bucket());
        return stored(bucket, append.stamp(), offset);
    }

    private ShardAnswer put(ShardCommand.Put put) {
        TableState table;
        PutBatch batch;
        try {
            table = tables.require(put.bucket());
            if (!table.info().hasPrimaryKey()) {
                throw new StorageException(
                        ErrorCode.UNSUPPORTED,
                        "table " + table.info().path() + " has no primary key; append rows.");
            }
            checkBatch(table, put.batch().schemaId(), put.batch().entries().remaining());
            batch = PutBatch.parse(put.batch());
        } catch (StorageException e) {
            return refused(e);
        }
        BucketState bucket = bucket(put.bucket());
        Optional<ShardAnswer> known = checkStamp(bucket, put.stamp());
        if (known.isPresent()) {
            return known.get();
        }
        puts.load(put.bucket(), batch);
        Optional<PutApplier.Changelog> changelog;
        try {
            changelog = puts.change(table, batch);
        } catch (StorageException e) {
            return refused(e);
        }
        puts.commit(put.bucket(), batch);
        long offset = bucket.log().appendedEnd();
        if (changelog.isPresent()) {
            PutApplier.Changelog changes = changelog.get();
            bucket.log().append(changes.batch(), changes.kinds(), put.stamp(), lastMillis);
            bucket.addRows(changes.addedRows());
            grown.add(put.bucket());
        }
        return stored(bucket, put.stamp(), offset);
    }

    private void checkBatch(TableState table, int schemaId, int bytes) {
        if (schemaId != table.schema().id()) {
            throw new StorageException(
                    ErrorCode.SCHEMA_MISMATCH,
                    "a batch of schema "
                            + schemaId
                            + " was sent to table "
                            + table.info().path()
                            + ", which has schema "
                            + table.schema().id()
                            + "; read the table again and write with its schema");
        }
        if (bytes > config.maxBatchBytes()) {
            throw new StorageException(
                    ErrorCode.RECORD_TOO_LARGE,
                    "a batch of "
                            + bytes
                            + " bytes was sent to table "
                            + table.info().path()
                            + "; "
                            + config.maxBatchBytes()
                            + " are allowed. Send fewer or smaller rows at once.");
        }
    }

    /** The answer when the batch must not be stored. */
    private Optional<ShardAnswer> checkStamp(BucketState bucket, WriterStamp stamp) {
        if (!stamp.isPresent()) {
            return Optional.empty();
        }
        if (stamp.sequence() < 0) {
            return Optional.of(
                    new ShardAnswer.Refused(
                            ErrorCode.INVALID_REQUEST,
                            "batch "
                                    + stamp.sequence()
                                    + " of writer "
                                    + stamp.writerId()
                                    + ": a writer counts its batches from 0"));
        }
        return switch (bucket.writers().judge(stamp, lastMillis)) {
            case STORE -> Optional.empty();
            case DUPLICATE ->
                    Optional.of(
                            new ShardAnswer.Stored(
                                    new AppendResult(bucket.writers().offsetOf(stamp), true)));
            case MISSING_EARLIER ->
                    Optional.of(
                            new ShardAnswer.Refused(
                                    ErrorCode.OUT_OF_ORDER_SEQUENCE,
                                    "writer "
                                            + stamp.writerId()
                                            + " sent batch "
                                            + stamp.sequence()
                                            + " to bucket "
                                            + bucket.log().bucket()
                                            + ", which waits for batch "
                                            + bucket.writers().expectedSequence(stamp.writerId())
                                            + "; send the missing ones first"));
            case UNKNOWN_WRITER ->
                    Optional.of(
                            new ShardAnswer.Refused(
                                    ErrorCode.UNKNOWN_WRITER,
                                    "writer "
                                            + stamp.writerId()
                                            + " sent batch "
                                            + stamp.sequence()
                                            + " to bucket "
                                            + bucket.log().bucket()
                                            + ", which does not know it and expects batch 0; a"
                                            + " writer is forgotten after 7 days. Ask for a new"
                                            + " writer id."));
        };
    }

    private ShardAnswer stored(BucketState bucket, WriterStamp stamp, long offset) {
        if (stamp.isPresent()) {
            bucket.writers().stored(stamp, offset, lastMillis);
        }
        return new ShardAnswer.Stored(new AppendResult(offset, false));
    }

    private BucketState bucket(BucketId id) {
        return buckets.computeIfAbsent(
                id, key -> new BucketState(storage.logs().obtain(key), new WriterTable(), 0));
    }

    private void dropTable(TableId id) {
        // Out of sight first: whoever found the table before finds its log dropped.
        Optional<TableState> dropped = tables.remove(id);
        storage.snapshots().dropTable(id);
        storage.logs().drop(id);
        buckets.keySet().removeIf(bucket -> bucket.table().equals(id));
        grown.removeIf(bucket -> bucket.table().equals(id));
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
            buckets.forEach(
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

    private static ShardAnswer refused(StorageException reason) {
        return new ShardAnswer.Refused(reason.code(), reason.getMessage());
    }

    @Override
    public Position checkpoint() {
        if (applied.index() > checkpoints.newest().index()) {
            Map<BucketId, Manifest.Bucket> present = new TreeMap<>();
            Map<BucketId, LogEnd> ends = storage.logs().force();
            buckets.forEach(
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

package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.StorageException;

/** A shard's files, opened at one checkpoint, and what works on them. One thread. */
final class OpenShard implements AutoCloseable {
    private final Checkpoints checkpoints;
    private final Storage storage;
    private final PutApplier puts;
    private final ShardBuckets buckets;
    private final ShardWrites writes;
    private final ShardCheckpointer checkpointer;

    private OpenShard(
            Checkpoints checkpoints,
            Storage storage,
            ShardConfig config,
            ShardResources resources,
            ShardTables tables) {
        this.checkpoints = checkpoints;
        this.storage = storage;
        puts = new PutApplier(storage.kv(), resources.allocator());
        buckets = new ShardBuckets(storage.logs(), storage.manifest().buckets());
        writes = new ShardWrites(config, tables, buckets, puts);
        checkpointer = new ShardCheckpointer(checkpoints, storage, tables, resources.background());
    }

    /**
     * Opens the newest usable checkpoint, or an empty shard when there is none.
     *
     * @param tables do not know those of the checkpoint yet
     * @throws StorageException CORRUPT_DATA when there are checkpoints but none is usable
     */
    static OpenShard open(
            ShardFolder folder, ShardConfig config, ShardResources resources, ShardTables tables) {
        Checkpoints checkpoints = Checkpoints.open(folder.checkpoints());
        Storage storage = Storage.open(folder, config, resources, checkpoints);
        checkpoints.keepUpTo(storage.manifest().position());
        folder.unmarkDamaged();
        return new OpenShard(checkpoints, storage, config, resources, tables);
    }

    Manifest manifest() {
        return storage.manifest();
    }

    Checkpoints checkpoints() {
        return checkpoints;
    }

    Storage storage() {
        return storage;
    }

    PutApplier puts() {
        return puts;
    }

    ShardBuckets buckets() {
        return buckets;
    }

    ShardWrites writes() {
        return writes;
    }

    ShardCheckpointer checkpointer() {
        return checkpointer;
    }

    @Override
    public void close() {
        checkpointer.awaitIdle();
        puts.close();
        storage.close();
    }
}

package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.server.kv.KvConfig;
import io.flinkfluss.storage.server.kv.KvMemory;
import io.flinkfluss.storage.server.kv.KvStores;
import io.flinkfluss.storage.server.log.RemoteReads;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Bounded memory that all shards of a node share. Close it after the shards. Thread-safe. */
public final class ShardResources implements AutoCloseable {
    private final KvMemory kvMemory;
    private final KvStores kvStores;
    private final BufferAllocator allocator;
    private final Executor background;
    private final RemoteReads remoteReads;

    /**
     * @param arrowBytes at most this much for changelogs and scans of key-value state being encoded
     */
    public ShardResources(KvConfig kv, long arrowBytes) {
        this(kv, arrowBytes, Runnable::run, RemoteReads.NONE);
    }

    /**
     * @param background runs what makes checkpoints durable, seconds at a time; several threads,
     *     because one shard can use some at once
     * @param remoteReads how segments in remote storage are read
     */
    public ShardResources(
            KvConfig kv, long arrowBytes, Executor background, RemoteReads remoteReads) {
        this(new KvMemory(kv), arrowBytes, background, remoteReads);
    }

    private ShardResources(
            KvMemory kvMemory, long arrowBytes, Executor background, RemoteReads remoteReads) {
        this(kvMemory, kvMemory, arrowBytes, background, remoteReads);
    }

    /**
     * @param kvMemory of snapshots
     * @param kvStores of the current rows
     */
    ShardResources(
            KvMemory kvMemory,
            KvStores kvStores,
            long arrowBytes,
            Executor background,
            RemoteReads remoteReads) {
        this.kvMemory = kvMemory;
        this.kvStores = kvStores;
        this.background = background;
        this.remoteReads = remoteReads;
        allocator = new RootAllocator(arrowBytes);
    }

    public KvMemory kvMemory() {
        return kvMemory;
    }

    KvStores kvStores() {
        return kvStores;
    }

    public BufferAllocator allocator() {
        return allocator;
    }

    RemoteReads remoteReads() {
        return remoteReads;
    }

    Executor background() {
        return background;
    }

    @Override
    public void close() {
        allocator.close();
        kvMemory.close();
    }
}

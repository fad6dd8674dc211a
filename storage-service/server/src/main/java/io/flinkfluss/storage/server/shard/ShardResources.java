package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.server.kv.KvConfig;
import io.flinkfluss.storage.server.kv.KvMemory;
import java.util.concurrent.Executor;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Bounded memory that all shards of a node share. Close it after the shards. Thread-safe. */
public final class ShardResources implements AutoCloseable {
    private final KvMemory kvMemory;
    private final BufferAllocator allocator;
    private final Executor background;

    /**
     * @param arrowBytes at most this much for changelogs and scans of key-value state being encoded
     */
    public ShardResources(KvConfig kv, long arrowBytes) {
        this(kv, arrowBytes, Runnable::run);
    }

    /**
     * @param background runs what makes checkpoints durable, seconds at a time
     */
    public ShardResources(KvConfig kv, long arrowBytes, Executor background) {
        kvMemory = new KvMemory(kv);
        allocator = new RootAllocator(arrowBytes);
        this.background = background;
    }

    KvMemory kvMemory() {
        return kvMemory;
    }

    BufferAllocator allocator() {
        return allocator;
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

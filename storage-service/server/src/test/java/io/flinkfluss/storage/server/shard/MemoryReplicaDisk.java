package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.server.disk.SimulatedDisk;
import io.flinkfluss.storage.server.kv.KvMemory;
import io.flinkfluss.storage.server.kv.MemoryKvStore;
import io.flinkfluss.storage.server.log.RemoteReads;
import java.nio.file.Path;
import java.util.Random;

/** A disk in memory without RocksDB, which itself knows what was made durable. */
final class MemoryReplicaDisk implements ReplicaDisk {
    private final SimulatedDisk disk = new SimulatedDisk();

    @Override
    public Path folder() {
        return disk.getPath("/shard");
    }

    @Override
    public ShardResources newResources() {
        return new ShardResources(
                new KvMemory(ShardFixture.SMALL_MEMORY),
                MemoryKvStore::open,
                ShardFixture.ARROW_BYTES,
                Runnable::run,
                RemoteReads.NONE);
    }

    @Override
    public void failAfter(int changes) {
        disk.failAfter(changes);
    }

    @Override
    public boolean hasFailed() {
        return disk.hasFailed();
    }

    @Override
    public void losePower(Random random) {
        disk.losePower(random);
    }
}

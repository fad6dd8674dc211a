package io.flinkfluss.storage.server.monitoring;

import io.flinkfluss.storage.server.replication.ReplicationNode;
import io.flinkfluss.storage.server.runtime.MemoryFigures;
import io.flinkfluss.storage.server.shard.ShardResources;
import io.flinkfluss.storage.server.transport.FlightServer;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.LinkedHashMap;
import java.util.Map;

/** Memory of the process by who holds it. */
final class MemoryReport {
    private final ShardResources resources;

    MemoryReport(ShardResources resources) {
        this.resources = resources;
    }

    MemoryFigures heap() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        return new MemoryFigures(heap.getUsed(), heap.getMax());
    }

    /** Outside of the heap, by the value of the label {@code pool}; all but key-value state. */
    Map<String, MemoryFigures> direct() {
        Map<String, MemoryFigures> pools = new LinkedHashMap<>();
        MemoryFigures transport = FlightServer.memory();
        // Where Netty may not free buffers itself, its buffers are among the JDK's.
        pools.put("jdk", new MemoryFigures(buffers(), transport.limitBytes()));
        pools.put(
                "arrow",
                new MemoryFigures(
                        resources.allocator().getAllocatedMemory(),
                        resources.allocator().getLimit()));
        pools.put("transport", transport);
        pools.put("replication", ReplicationNode.memory());
        return pools;
    }

    /** All of {@link #direct} together; the JDK and the two networks each have the same bound. */
    MemoryFigures directTotal() {
        long used = 0;
        long limit = 0;
        for (MemoryFigures pool : direct().values()) {
            used += Math.max(0, pool.usedBytes());
            limit += pool.limitBytes();
        }
        return new MemoryFigures(used, limit);
    }

    private static long buffers() {
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            if (pool.getName().equals("direct")) {
                return pool.getMemoryUsed();
            }
        }
        return 0;
    }
}

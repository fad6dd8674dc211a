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
        pools.put("jdk", new MemoryFigures(buffers(), transport.limitBytes()));
        pools.put(
                "arrow",
                new MemoryFigures(
                        resources.allocator().getAllocatedMemory(),
                        resources.allocator().getLimit()));
        putIfKnown(pools, "transport", transport);
        putIfKnown(pools, "replication", ReplicationNode.memory());
        return pools;
    }

    /** Where Netty may not free buffers itself, it takes the JDK's, which are counted there. */
    private static void putIfKnown(
            Map<String, MemoryFigures> pools, String pool, MemoryFigures figures) {
        if (figures.usedBytes() >= 0) {
            pools.put(pool, figures);
        }
    }

    /** All of {@link #direct} together; each pool has a bound of its own. */
    MemoryFigures directTotal() {
        long used = 0;
        long limit = 0;
        for (MemoryFigures pool : direct().values()) {
            used += pool.usedBytes();
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

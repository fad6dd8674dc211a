package io.flinkfluss.flink.unionread.reader;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.flink.unionread.plan.UnionScan;
import io.flinkfluss.flink.unionread.split.LogRange;
import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeFormats;
import io.flinkfluss.lake.LakeReader;
import io.flinkfluss.storage.api.table.TableInfo;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Both tiers of a table, each opened when it is first read. */
final class Tiers implements AutoCloseable {
    private final UnionScan scan;
    private final TableInfo table;
    private final Runnable onAvailable;
    private final BufferAllocator allocator = new RootAllocator();
    private Connection connection;
    private LakeCatalog catalog;
    private LakeReader lake;

    Tiers(UnionScan scan, Runnable onAvailable) {
        this.scan = scan;
        this.table = scan.table();
        this.onAvailable = onAvailable;
    }

    TableInfo table() {
        return table;
    }

    LakeReader lake() {
        if (lake == null) {
            catalog = LakeFormats.open(scan.lakeSettings());
            lake = catalog.reader(table);
        }
        return lake;
    }

    LogRows log(LogRange range, ReadColumns columns) {
        if (connection == null) {
            connection = Connections.acquire(scan.connection());
        }
        return new LogRows(
                connection.service().logReader(), range, columns, allocator, onAvailable);
    }

    @Override
    public void close() {
        if (catalog != null) {
            catalog.close();
        }
        if (connection != null) {
            connection.close();
        }
        allocator.close();
    }
}

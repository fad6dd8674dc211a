package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;

/** Writers of changelog batches, kept for the tables that were written last. One thread. */
final class ChangelogWriters implements AutoCloseable {
    private static final int KEPT = 16;

    private final BufferAllocator allocator;
    private final Map<TableId, ArrowBatchWriter> writers = new LinkedHashMap<>(16, 0.75f, true);

    ChangelogWriters(BufferAllocator allocator) {
        this.allocator = allocator;
    }

    /** The table's writer, empty. */
    ArrowBatchWriter of(TableState table) {
        TableId id = table.info().id();
        ArrowBatchWriter writer = writers.get(id);
        if (writer == null) {
            writer = new ArrowBatchWriter(table.schema(), allocator, table.compression());
            writers.put(id, writer);
            if (writers.size() > KEPT) {
                Iterator<ArrowBatchWriter> oldest = writers.values().iterator();
                oldest.next().close();
                oldest.remove();
            }
        }
        return writer;
    }

    /** Closes the table's writer with whatever is in it. */
    void discard(TableId table) {
        ArrowBatchWriter writer = writers.remove(table);
        if (writer != null) {
            writer.close();
        }
    }

    @Override
    public void close() {
        writers.values().forEach(ArrowBatchWriter::close);
        writers.clear();
    }
}

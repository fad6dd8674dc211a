package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.record.RowBatch;
import java.util.Optional;

/** Walks one bucket of a snapshot in key order. Used by one thread at a time. */
public interface KvCursor extends AutoCloseable {
    /**
     * The next rows, or empty at the end. The batch owns its bytes.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException CORRUPT_DATA
     */
    Optional<RowBatch> next();

    @Override
    void close();
}

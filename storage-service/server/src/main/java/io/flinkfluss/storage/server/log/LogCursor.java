package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.record.LogBatch;
import java.util.Optional;

/**
 * Walks the committed batches of one bucket's log. Used by one thread at a time; holds no lock and
 * no open file between calls, and at most one batch in memory.
 */
public interface LogCursor extends AutoCloseable {
    /**
     * The next batch with a row that was asked for, or empty when every committed row (or the asked
     * end) was reached; ask again after a commit. The batch owns its bytes.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException CORRUPT_DATA naming file and
     *     position, OFFSET_OUT_OF_RANGE when the rows were deleted by retention, TABLE_NOT_FOUND
     *     when the table was dropped
     */
    Optional<LogBatch> next();

    /** Offset of the next row to be returned. */
    long nextOffset();

    /** Whether the asked end was reached. */
    boolean isFinished();

    @Override
    void close();
}

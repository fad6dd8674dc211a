package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.record.LogBatch;
import java.util.Optional;

/**
 * Walks the committed batches of one bucket's log. Used by one thread at a time; holds no lock and
 * no open file between calls, and at most one batch in memory. Rows that retention gives up are
 * kept for a reader that gets on.
 */
public interface LogCursor extends AutoCloseable {
    /**
     * The next batch with a row that was asked for, or empty when every committed row (or the asked
     * end) was reached, or the next one is being fetched from remote storage; ask again after a
     * commit, or when told by {@link #onLoaded}. The batch owns its bytes. It may be one without
     * rows, which says how far the log was left out because of the request's filter; nothing that
     * was left out is kept back when this is empty.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException CORRUPT_DATA naming file and
     *     position, OFFSET_OUT_OF_RANGE when the rows were deleted by retention and this reader had
     *     not got on for long, TABLE_NOT_FOUND when the table was dropped
     */
    Optional<LogBatch> next();

    /** Calls the listener, on any thread, when what was being fetched has arrived. */
    void onLoaded(Runnable listener);

    /** Offset of the next row to be returned or left out. Any thread. */
    long nextOffset();

    /** Whether the asked end was reached. */
    boolean isFinished();

    @Override
    void close();
}

package io.flinkfluss.lake;

import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.RowView;

/**
 * Writes the rows of one bucket and one round, in log order. Used by one thread. After {@link
 * #complete} or {@link #abort} it must not be used again.
 */
public interface LakeWriter {
    /**
     * Takes one row of the log. The view is only read during the call. For a primary-key table the
     * changes of a key fold to the newest; UPDATE_BEFORE carries nothing and is skipped.
     *
     * @param row all columns of the table's schema
     * @throws io.flinkfluss.storage.api.error.StorageException when the row cannot be held or the
     *     lake's storage fails; abort the writer then
     */
    void write(ChangeKind kind, RowView row, long offset, long commitMillis);

    /**
     * Whether this writer has taken as much as its memory allows; the caller then ends the round of
     * this bucket here and leaves the rest to the next one. Rows of a log table flow to files, so
     * their writer is never full.
     */
    boolean isFull();

    /**
     * Closes the files and describes them, for {@link LakeCommitter#commit}; a few hundred bytes a
     * file, at most 1 MiB. Empty (length 0) when no file was needed.
     */
    byte[] complete();

    /** Deletes what was written; never throws. */
    void abort();
}

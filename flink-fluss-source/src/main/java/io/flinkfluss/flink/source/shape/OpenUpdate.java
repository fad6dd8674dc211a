package io.flinkfluss.flink.source.shape;

import org.apache.flink.table.data.RowData;

/**
 * The old row of an update whose new row has not been read yet, per bucket. It is not checkpointed:
 * a reader that restarts begins at {@link #resumeOffset}, so it reads the old row again.
 */
public final class OpenUpdate {
    private static final long NONE = -1;

    private long offset = NONE;
    private long commitMillis;
    private RowData before;

    void open(long oldRowOffset, long oldRowCommitMillis, RowData oldRow) {
        offset = oldRowOffset;
        commitMillis = oldRowCommitMillis;
        before = oldRow;
    }

    void close() {
        offset = NONE;
        before = null;
    }

    boolean isOpen() {
        return offset != NONE;
    }

    long offset() {
        return offset;
    }

    long commitMillis() {
        return commitMillis;
    }

    RowData before() {
        return before;
    }

    /** Where to begin again when every row below {@code next} was read. */
    public long resumeOffset(long next) {
        return isOpen() ? offset : next;
    }
}

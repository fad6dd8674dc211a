package io.flinkfluss.flink.unionread.reader;

import io.flinkfluss.flink.unionread.split.UnionSplit;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.flink.table.data.RowData;

/** Reads one split, a few rows at a time. Used by the task's thread only. */
interface SplitCursor {
    /** What a step came to. */
    enum Step {
        /** Call again: there is more to do. */
        MORE,
        /** Nothing to do until the storage service pushes something. */
        WAITING,
        /** Every row was handed out. */
        FINISHED
    }

    /**
     * Hands out at most {@code limit} rows. A row is valid until the consumer returns. Reads of
     * lake files block; the log is never waited for.
     */
    Step step(Consumer<RowData> output, int limit) throws IOException;

    String splitId();

    /** What is left to be read. */
    UnionSplit left();

    void close() throws IOException;
}

package io.flinkfluss.flink.unionread.merge;

import io.flinkfluss.storage.api.record.RowView;
import java.io.Closeable;
import java.io.IOException;

/** The rows of the union, each key once, in a fixed order for equal input. */
public interface MergedRows extends Closeable {
    /** Moves to the next row; false at the end. */
    boolean next() throws IOException;

    /** The current row, valid until {@link #next}. */
    RowView view();
}

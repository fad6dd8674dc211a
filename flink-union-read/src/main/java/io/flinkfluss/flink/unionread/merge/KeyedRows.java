package io.flinkfluss.flink.unionread.merge;

import io.flinkfluss.storage.api.record.RowView;
import java.io.Closeable;
import java.io.IOException;

/** Rows with their keys, one after the other. */
public interface KeyedRows extends Closeable {
    /** Moves to the next row; false at the end. */
    boolean next() throws IOException;

    /** Key of the current row, in the order-preserving form of the storage service. */
    byte[] key();

    /** The current row in RowCodec form; null for a deleted key. */
    byte[] row();

    /** The current row, valid until {@link #next}; not for a deleted key. */
    RowView view();
}

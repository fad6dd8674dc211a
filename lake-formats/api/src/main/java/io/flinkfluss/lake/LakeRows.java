package io.flinkfluss.lake;

import io.flinkfluss.storage.api.record.RowView;
import java.util.Iterator;

/**
 * Rows of a split. The view that {@link #next} returns has the asked columns in the asked order and
 * is only valid until the next call. Used by one thread.
 */
public interface LakeRows extends Iterator<RowView>, AutoCloseable {
    @Override
    void close();
}

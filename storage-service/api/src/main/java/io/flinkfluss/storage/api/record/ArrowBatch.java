package io.flinkfluss.storage.api.record;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Rows to append to a log: one Arrow IPC record batch message as bytes, made by {@code
 * wire.ArrowBatchWriter}.
 *
 * @param schemaId schema of the rows; the message's columns are that schema's, in order
 * @param rowCount 1 or more
 * @param metadata the IPC message's FlatBuffer (without continuation marker and length), position 0
 *     to limit
 * @param body the IPC message's body: buffers aligned to 8 bytes, each compressed on its own or not
 *     at all
 * @param statistics bounds per column, empty when the writer made none
 */
public record ArrowBatch(
        int schemaId,
        int rowCount,
        ByteBuffer metadata,
        ByteBuffer body,
        List<ColumnStatistics> statistics) {
    public ArrowBatch {
        statistics = List.copyOf(statistics);
        if (rowCount < 1) {
            throw new IllegalArgumentException("a batch has 1 row or more, not " + rowCount);
        }
    }

    public int sizeInBytes() {
        return metadata.remaining() + body.remaining();
    }
}

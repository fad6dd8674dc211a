package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.Schema;

/**
 * Whether a batch has the shape of a schema, from its metadata alone: what a server checks before
 * it stores a batch of a stranger.
 */
public final class ArrowBatchCheck {
    private ArrowBatchCheck() {}

    /**
     * @throws StorageException SCHEMA_MISMATCH when the batch has another number of columns or
     *     NULLs in a NOT NULL column; CORRUPT_DATA when its metadata and body do not fit
     */
    public static void check(Schema schema, ArrowBatch batch) {
        RecordBatchMessage message = RecordBatchMessage.parse(batch.metadata());
        int buffers = 0;
        for (Column column : schema.columns()) {
            buffers += RecordBatchMessage.buffersOf(column.type());
        }
        checkShape(message, schema.columns().size(), buffers);
        if (message.rowCount() != batch.rowCount()) {
            throw RecordBatchMessage.damaged(
                    "its metadata has "
                            + message.rowCount()
                            + " rows, its header "
                            + batch.rowCount());
        }
        if (message.bodyLength() != batch.body().remaining()) {
            throw RecordBatchMessage.damaged(
                    "its metadata promises a body of "
                            + message.bodyLength()
                            + " bytes, but "
                            + batch.body().remaining()
                            + " came");
        }
        for (int i = 0; i < message.nullCounts().length; i++) {
            Column column = schema.columns().get(i);
            if (message.nullCounts()[i] > 0 && !column.type().nullable()) {
                throw new StorageException(
                        ErrorCode.SCHEMA_MISMATCH,
                        "column "
                                + column.name()
                                + " is "
                                + column.type()
                                + " but "
                                + message.nullCounts()[i]
                                + " of the batch's "
                                + message.rowCount()
                                + " rows have NULL there; filter such rows out");
            }
        }
    }

    static void checkShape(RecordBatchMessage message, int columns, int buffers) {
        if (message.nullCounts().length != columns || message.offsets().length != buffers) {
            throw new StorageException(
                    ErrorCode.SCHEMA_MISMATCH,
                    "a batch of "
                            + message.nullCounts().length
                            + " columns and "
                            + message.offsets().length
                            + " buffers does not fit the table's "
                            + columns
                            + " columns with "
                            + buffers
                            + " buffers; write it with the table's schema, columns in order");
        }
    }
}

package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.table.BucketId;
import java.nio.ByteBuffer;

/**
 * Rows of key-value state as a scan gets them, in key order.
 *
 * @param lastKey key of the last row, to resume after it
 * @param metadata Arrow IPC record batch FlatBuffer over the projected columns
 * @param body its body
 */
public record RowBatch(
        BucketId bucket,
        int rowCount,
        int schemaId,
        byte[] lastKey,
        ByteBuffer metadata,
        ByteBuffer body) {}

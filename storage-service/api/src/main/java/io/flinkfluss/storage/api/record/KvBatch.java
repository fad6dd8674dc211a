package io.flinkfluss.storage.api.record;

import java.nio.ByteBuffer;

/**
 * Upserts and deletes for one bucket of a primary-key table, applied in order.
 *
 * @param schemaId schema of the rows
 * @param count number of entries, 1 or more
 * @param entries per entry: varint key length, key ({@link KeyCodec} form of the primary key),
 *     varint row length plus one (0: delete), row ({@link RowCodec} form); written by {@link
 *     KvBatchBuilder}, read by {@link KvBatchCursor}
 */
public record KvBatch(int schemaId, int count, ByteBuffer entries) {
    public KvBatch {
        if (count < 1) {
            throw new IllegalArgumentException("a batch has 1 entry or more, not " + count);
        }
    }
}

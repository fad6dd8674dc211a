package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.table.BucketId;
import java.nio.ByteBuffer;

/**
 * Committed rows as a reader gets them. The batch may begin before the offset that was asked for:
 * the reader skips rows below it ({@link #firstRow}); likewise it may go past the asked end.
 *
 * @param baseOffset offset of the first row; the others follow densely
 * @param commitMillis when the leader took the batch, milliseconds since 1970-01-01 UTC
 * @param kinds one {@link ChangeKind} number per row, or empty when every row is INSERT
 * @param metadata Arrow IPC record batch FlatBuffer over the projected columns, in the order of the
 *     request
 * @param body its body
 */
public record LogBatch(
        BucketId bucket,
        long baseOffset,
        int rowCount,
        long commitMillis,
        int schemaId,
        ByteBuffer kinds,
        ByteBuffer metadata,
        ByteBuffer body) {
    public long nextOffset() {
        return baseOffset + rowCount;
    }

    /** Index of the first row with an offset of at least {@code startOffset}. */
    public int firstRow(long startOffset) {
        return (int) Math.max(0, Math.min(rowCount, startOffset - baseOffset));
    }

    public ChangeKind kind(int row) {
        return kinds.hasRemaining()
                ? ChangeKind.of(kinds.get(kinds.position() + row))
                : ChangeKind.INSERT;
    }

    public int sizeInBytes() {
        return kinds.remaining() + metadata.remaining() + body.remaining();
    }
}

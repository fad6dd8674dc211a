package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.table.BucketId;
import java.nio.ByteBuffer;

/**
 * Committed rows as a reader gets them. The batch may begin before the offset that was asked for:
 * the reader skips rows below it ({@link #firstRow}); likewise it may go past the asked end.
 *
 * <p>A read with a {@link LogFilter} also gives batches without rows, which say how far it got: up
 * to the base offset everything was given or left out. Such a batch has no Arrow message.
 *
 * @param baseOffset offset of the first row; the others follow densely
 * @param commitMillis when the leader took the batch, milliseconds since 1970-01-01 UTC
 * @param kinds one {@link ChangeKind} number per row, or empty when every row is INSERT
 * @param metadata Arrow IPC record batch FlatBuffer over the projected columns, in the order of the
 *     request
 * @param body its body
 * @param leftOut how many rows directly before the base offset the filter left out
 */
public record LogBatch(
        BucketId bucket,
        long baseOffset,
        int rowCount,
        long commitMillis,
        int schemaId,
        ByteBuffer kinds,
        ByteBuffer metadata,
        ByteBuffer body,
        long leftOut) {
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0).asReadOnlyBuffer();

    /** Rows before which nothing was left out. */
    public LogBatch(
            BucketId bucket,
            long baseOffset,
            int rowCount,
            long commitMillis,
            int schemaId,
            ByteBuffer kinds,
            ByteBuffer metadata,
            ByteBuffer body) {
        this(bucket, baseOffset, rowCount, commitMillis, schemaId, kinds, metadata, body, 0);
    }

    /** No rows, only that so many rows before the offset were left out. */
    public static LogBatch ofLeftOut(BucketId bucket, long offset, long leftOut) {
        return new LogBatch(bucket, offset, 0, -1, 0, EMPTY, EMPTY, EMPTY, leftOut);
    }

    /** The same rows after so many that were left out. */
    public LogBatch after(long leftOutRows) {
        return new LogBatch(
                bucket,
                baseOffset,
                rowCount,
                commitMillis,
                schemaId,
                kinds,
                metadata,
                body,
                leftOutRows);
    }

    public long nextOffset() {
        return baseOffset + rowCount;
    }

    /** The first offset that it tells of, left out or not. */
    public long firstCovered() {
        return baseOffset - leftOut;
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

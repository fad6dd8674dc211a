package io.flinkfluss.flink.source.shape;

import io.flinkfluss.flink.row.RowKinds;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.LogBatch;
import java.nio.ByteBuffer;
import org.apache.flink.types.RowKind;

/**
 * What is common to the rows of a batch.
 *
 * @param baseOffset offset of the first row; -1 for rows of key-value state, which have none
 * @param commitMillis when the rows were committed; -1 for rows of key-value state
 * @param kinds one change kind per row, or empty when every row is an insert
 */
public record BatchHead(long baseOffset, long commitMillis, ByteBuffer kinds) {
    /** The head of rows that come from key-value state: inserts without a place in the log. */
    public static final BatchHead STATE = new BatchHead(-1, -1, ByteBuffer.allocate(0));

    public static BatchHead of(LogBatch batch) {
        return new BatchHead(batch.baseOffset(), batch.commitMillis(), batch.kinds());
    }

    public boolean isLog() {
        return baseOffset >= 0;
    }

    public long offset(int row) {
        return baseOffset + row;
    }

    public boolean onlyInserts() {
        return !kinds.hasRemaining();
    }

    public ChangeKind kind(int row) {
        return onlyInserts() ? ChangeKind.INSERT : ChangeKind.of(kinds.get(kinds.position() + row));
    }

    public RowKind rowKind(int row) {
        return RowKinds.toFlink(kind(row));
    }
}

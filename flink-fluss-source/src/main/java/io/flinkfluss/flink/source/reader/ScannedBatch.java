package io.flinkfluss.flink.source.reader;

import io.flinkfluss.flink.source.shape.BatchHead;
import io.flinkfluss.flink.source.shape.OpenUpdate;
import org.apache.flink.table.data.RowData;

/**
 * Decoded rows of one split that still wait for their reader, or the news that the split's scan has
 * ended, or both; or only how far it got. It has a position, so that a reader can stop in the
 * middle. Used by one thread at a time; {@link #recycle} it once.
 */
public final class ScannedBatch {
    private final String splitId;
    private final BatchHead head;
    private final BatchDecoder.Vectors vectors;
    private final byte[] afterKey;
    private final byte[] lastKey;
    private final int rowCount;
    private final int bytes;
    private int position;
    private int end;
    private boolean last;

    /** Has no rows but must be taken notice of. */
    private boolean news;

    private boolean newsSeen;

    ScannedBatch(
            String splitId,
            BatchHead head,
            BatchDecoder.Vectors vectors,
            KeyRange keys,
            RowRange rows,
            int bytes) {
        this.splitId = splitId;
        this.head = head;
        this.vectors = vectors;
        this.afterKey = keys.after();
        this.lastKey = keys.last();
        this.rowCount = rows.count();
        this.position = rows.from();
        this.end = rows.to();
        this.bytes = bytes;
    }

    /** The end of a scan, without rows. */
    static ScannedBatch end(String splitId, BatchHead head) {
        ScannedBatch batch = progress(splitId, head);
        batch.markLast();
        return batch;
    }

    /** No rows: everything before the head's offset was given or left out by the filter. */
    static ScannedBatch progress(String splitId, BatchHead head) {
        ScannedBatch batch =
                new ScannedBatch(splitId, head, null, KeyRange.NONE, new RowRange(0, 0, 0), 0);
        batch.news = true;
        return batch;
    }

    public String splitId() {
        return splitId;
    }

    public BatchHead head() {
        return head;
    }

    /** Index of the next row to read. */
    public int position() {
        return position;
    }

    /** Index after the last row to read. */
    public int end() {
        return end;
    }

    /** Size of the batch as it travelled. */
    public int bytes() {
        return bytes;
    }

    /**
     * The row; valid until the next call. See {@link io.flinkfluss.flink.source.shape.ShapedRows}.
     */
    public RowData row(int index, OpenUpdate open) {
        return vectors.rows().row(index, open);
    }

    /** Moves the position; at the end this takes notice of the news, such as the scan's end. */
    public void advance(int to) {
        position = to;
        newsSeen = to == end;
    }

    /** Whether rows, or news such as that of the scan's end, are left. */
    public boolean hasMore() {
        return position < end || (news && !newsSeen);
    }

    /** Whether the scan gives nothing after this batch. */
    public boolean isLast() {
        return last;
    }

    /** Gives the vectors back; rows of this batch are no longer valid. */
    public void recycle() {
        if (vectors != null) {
            vectors.giveBack();
        }
    }

    /** Cuts the batch so that at most this many rows are left, and makes it the last one. */
    void endAfter(int rows) {
        end = Math.min(end, position + rows);
        markLast();
    }

    void markLast() {
        last = true;
        news = true;
    }

    /** Whether the position is behind the batch's very last row. */
    boolean isReadThrough() {
        return position == rowCount;
    }

    /** Key-value state: key before the first row of the batch; empty for none. */
    byte[] afterKey() {
        return afterKey;
    }

    /** Key-value state: key of the last row. */
    byte[] lastKey() {
        return lastKey;
    }

    /** Keys around a batch of key-value state. */
    record KeyRange(byte[] after, byte[] last) {
        static final KeyRange NONE = new KeyRange(new byte[0], new byte[0]);
    }

    /** Which rows of how many are to be read. */
    record RowRange(int from, int to, int count) {}
}

package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.table.BucketId;
import java.nio.ByteBuffer;

/**
 * Our header (app_metadata) of a record batch in the DoGet stream of a {@link ScanTicket}; the
 * fields are those of {@link LogBatch}. A ticket with a filter may be answered with headers that
 * say how many rows were left out; one without rows has a frame of its own.
 */
public record BatchHeader(
        long baseOffset,
        int rowCount,
        long commitMillis,
        int schemaId,
        ByteBuffer kinds,
        long leftOut) {
    static final Format FORMAT = new Format("batch header", 1, 2, "wire.md");

    /** Nothing was left out; written whenever that is so. */
    private static final int DENSE = 1;

    /** The header of a batch before which nothing was left out. */
    public BatchHeader(
            long baseOffset, int rowCount, long commitMillis, int schemaId, ByteBuffer kinds) {
        this(baseOffset, rowCount, commitMillis, schemaId, kinds, 0);
    }

    public static BatchHeader of(LogBatch batch) {
        return new BatchHeader(
                batch.baseOffset(),
                batch.rowCount(),
                batch.commitMillis(),
                batch.schemaId(),
                batch.kinds(),
                batch.leftOut());
    }

    public byte[] encode() {
        WireOutput output = new WireOutput(32 + kinds.remaining());
        output.writeByte(leftOut == 0 ? DENSE : FORMAT.newest())
                .writeVarint(baseOffset)
                .writeVarint(rowCount)
                .writeZigzag(commitMillis)
                .writeVarint(schemaId)
                .writeBytes(kinds);
        if (leftOut != 0) {
            output.writeVarint(leftOut);
        }
        return output.toByteArray();
    }

    public static BatchHeader decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        int version = input.readVersion(FORMAT);
        BatchHeader dense =
                new BatchHeader(
                        input.readVarint(),
                        input.readVarintAsInt(),
                        input.readZigzag(),
                        input.readVarintAsInt(),
                        input.readSlice());
        return version == DENSE ? dense : dense.after(input.readVarint());
    }

    private BatchHeader after(long leftOutRows) {
        return new BatchHeader(baseOffset, rowCount, commitMillis, schemaId, kinds, leftOutRows);
    }

    /** The batch of a frame; its buffers are slices of the frame's. */
    public LogBatch toBatch(BucketId bucket, FlightFrame frame) {
        return new LogBatch(
                bucket,
                baseOffset,
                rowCount,
                commitMillis,
                schemaId,
                kinds,
                frame.header(),
                frame.body(),
                leftOut);
    }
}

package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.table.BucketId;
import java.nio.ByteBuffer;

/**
 * Our header (app_metadata) of a record batch in the DoGet stream of a {@link ScanTicket}; the
 * fields are those of {@link LogBatch}.
 */
public record BatchHeader(
        long baseOffset, int rowCount, long commitMillis, int schemaId, ByteBuffer kinds) {
    static final Format FORMAT = Format.first("batch header", "wire.md");

    public byte[] encode() {
        WireOutput output = new WireOutput(32 + kinds.remaining());
        output.writeVersion(FORMAT)
                .writeVarint(baseOffset)
                .writeVarint(rowCount)
                .writeZigzag(commitMillis)
                .writeVarint(schemaId)
                .writeBytes(kinds);
        return output.toByteArray();
    }

    public static BatchHeader decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        input.readVersion(FORMAT);
        return new BatchHeader(
                input.readVarint(),
                input.readVarintAsInt(),
                input.readZigzag(),
                input.readVarintAsInt(),
                input.readSlice());
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
                frame.body());
    }
}

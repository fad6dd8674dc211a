package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.table.BucketId;
import java.nio.ByteBuffer;

/**
 * Our header (app_metadata) of a record batch in the DoGet stream of a {@link KvScanTicket}; the
 * fields are those of {@link RowBatch}.
 */
public record RowBatchHeader(int rowCount, int schemaId, ByteBuffer lastKey) {
    static final Format FORMAT = Format.first("row batch header", "wire.md");

    public byte[] encode() {
        return new WireOutput(32 + lastKey.remaining())
                .writeVersion(FORMAT)
                .writeVarint(rowCount)
                .writeVarint(schemaId)
                .writeBytes(lastKey)
                .toByteArray();
    }

    public static RowBatchHeader decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        input.readVersion(FORMAT);
        return new RowBatchHeader(
                input.readVarintAsInt(), input.readVarintAsInt(), input.readSlice());
    }

    /** The batch of a frame; its buffers are slices of the frame's. */
    public RowBatch toBatch(BucketId bucket, FlightFrame frame) {
        byte[] key = new byte[lastKey.remaining()];
        lastKey.get(lastKey.position(), key);
        return new RowBatch(bucket, rowCount, schemaId, key, frame.header(), frame.body());
    }
}

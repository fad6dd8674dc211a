package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;

/** Reads a bucket's log; each data frame has a {@link BatchHeader}. */
public record ScanTicket(ScanRequest request) implements StreamTicket {
    static final int KIND = 1;
    private static final int VERSION = 1;

    @Override
    public byte[] encode() {
        WireOutput output = new WireOutput(64);
        output.writeByte(KIND).writeByte(VERSION);
        MetadataCodec.writeBucketId(output, request.bucket());
        output.writeVarint(request.startOffset())
                .writeVarint(request.endOffset())
                .writeNullableInts(request.columnIndexes());
        return output.toByteArray();
    }

    static ScanTicket read(WireInput input) {
        input.readVersion("a scan ticket", VERSION);
        BucketId bucket = MetadataCodec.readBucketId(input);
        long start = input.readVarint();
        long end = input.readVarint();
        if (start < 0 || end < start) {
            throw input.corrupt("a scan from " + start + " to " + end);
        }
        return new ScanTicket(new ScanRequest(bucket, start, end, input.readNullableInts()));
    }
}

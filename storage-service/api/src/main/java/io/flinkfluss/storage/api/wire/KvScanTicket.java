package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.KvScanRequest;

/** Reads a bucket of a snapshot; each data frame has a {@link RowBatchHeader}. */
public record KvScanTicket(KvScanRequest request) implements StreamTicket {
    static final int KIND = 2;
    static final Format FORMAT = Format.first("snapshot scan ticket", "wire.md");

    @Override
    public byte[] encode() {
        WireOutput output = new WireOutput(64);
        output.writeByte(KIND).writeVersion(FORMAT);
        MetadataCodec.writeBucketId(output, request.bucket());
        output.writeLong(request.snapshotId())
                .writeBytes(request.afterKey())
                .writeNullableInts(request.columnIndexes());
        return output.toByteArray();
    }

    static KvScanTicket read(WireInput input) {
        input.readVersion(FORMAT);
        return new KvScanTicket(
                new KvScanRequest(
                        MetadataCodec.readBucketId(input),
                        input.readLong(),
                        input.readBytes(),
                        input.readNullableInts()));
    }
}

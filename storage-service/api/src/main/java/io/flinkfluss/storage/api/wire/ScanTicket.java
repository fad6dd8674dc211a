package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;

/** Reads a bucket's log; each data frame has a {@link BatchHeader}. */
public record ScanTicket(ScanRequest request) implements StreamTicket {
    static final int KIND = 1;
    static final Format FORMAT = new Format("scan ticket", 1, 2, "wire.md");

    /** Reads from the leader; still written for these, so that an older node understands them. */
    private static final int FROM_LEADER = 1;

    private static final int ANY_REPLICA = 1;

    @Override
    public byte[] encode() {
        WireOutput output = new WireOutput(64);
        boolean anyReplica = request.readFrom() == ReadFrom.ANY;
        output.writeByte(KIND).writeByte(anyReplica ? FORMAT.newest() : FROM_LEADER);
        MetadataCodec.writeBucketId(output, request.bucket());
        output.writeVarint(request.startOffset())
                .writeVarint(request.endOffset())
                .writeNullableInts(request.columnIndexes());
        if (anyReplica) {
            output.writeByte(ANY_REPLICA);
        }
        return output.toByteArray();
    }

    static ScanTicket read(WireInput input) {
        int version = input.readVersion(FORMAT);
        BucketId bucket = MetadataCodec.readBucketId(input);
        long start = input.readVarint();
        long end = input.readVarint();
        if (start < 0 || end < start) {
            throw input.corrupt("a scan from " + start + " to " + end);
        }
        ScanRequest request = new ScanRequest(bucket, start, end, input.readNullableInts());
        if (version == FROM_LEADER) {
            return new ScanTicket(request);
        }
        int from = input.readByte();
        return switch (from) {
            case 0 -> new ScanTicket(request);
            case ANY_REPLICA -> new ScanTicket(request.from(ReadFrom.ANY));
            default -> throw input.corrupt("a scan from the replicas " + from);
        };
    }
}

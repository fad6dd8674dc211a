package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;

/** Reads a bucket's log; each data frame has a {@link BatchHeader}. */
public record ScanTicket(ScanRequest request) implements StreamTicket {
    static final int KIND = 1;
    static final Format FORMAT = new Format("scan ticket", 1, 3, "wire.md");

    /** Reads everything from the leader. Older versions are for nodes that know no newer one. */
    private static final int FROM_LEADER = 1;

    /** Says which replicas may answer. */
    private static final int WITH_REPLICAS = 2;

    /** Has a filter too; whoever sends it reads batch headers that say what was left out. */
    private static final int WITH_FILTER = 3;

    private static final int LEADER = 0;
    private static final int ANY_REPLICA = 1;

    @Override
    public byte[] encode() {
        WireOutput output = new WireOutput(64);
        boolean anyReplica = request.readFrom() == ReadFrom.ANY;
        int version = version(anyReplica);
        output.writeByte(KIND).writeByte(version);
        MetadataCodec.writeBucketId(output, request.bucket());
        output.writeVarint(request.startOffset())
                .writeVarint(request.endOffset())
                .writeNullableInts(request.columnIndexes());
        if (version >= WITH_REPLICAS) {
            output.writeByte(anyReplica ? ANY_REPLICA : LEADER);
        }
        if (version >= WITH_FILTER) {
            FilterCodec.write(output, request.filter());
        }
        return output.toByteArray();
    }

    private int version(boolean anyReplica) {
        if (!request.filter().isNone()) {
            return WITH_FILTER;
        }
        return anyReplica ? WITH_REPLICAS : FROM_LEADER;
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
        if (version >= WITH_REPLICAS) {
            request = request.from(readReplicas(input));
        }
        if (version >= WITH_FILTER) {
            request = request.matching(FilterCodec.read(input));
        }
        return new ScanTicket(request);
    }

    private static ReadFrom readReplicas(WireInput input) {
        int from = input.readByte();
        return switch (from) {
            case LEADER -> ReadFrom.LEADER;
            case ANY_REPLICA -> ReadFrom.ANY;
            default -> throw input.corrupt("a scan from the replicas " + from);
        };
    }
}

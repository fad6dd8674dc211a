package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Our header of a frame in a DoPut stream (its app_metadata). One stream carries batches of many
 * buckets; each is answered by one {@link PutAck} with its request id, in any order. Batches of one
 * bucket are stored in the order of the stream.
 *
 * @param requestId chosen by the client, unique within the stream
 * @param kind LOG: the frame holds an Arrow record batch; KV: its body holds {@link
 *     KvBatch#entries}
 * @param count rows or entries
 * @param statistics of a log batch; empty for KV
 */
public record PutHeader(
        long requestId,
        BucketId bucket,
        WriterStamp stamp,
        Kind kind,
        int schemaId,
        int count,
        List<ColumnStatistics> statistics) {
    static final Format FORMAT = Format.first("put header", "wire.md");

    /** What the frame holds; the position is the number on the wire. */
    public enum Kind {
        LOG,
        KV
    }

    public PutHeader {
        statistics = List.copyOf(statistics);
    }

    /** The frame that appends this batch. */
    public static FlightFrame frame(
            long requestId, BucketId bucket, WriterStamp stamp, ArrowBatch batch) {
        byte[] header =
                new PutHeader(
                                requestId,
                                bucket,
                                stamp,
                                Kind.LOG,
                                batch.schemaId(),
                                batch.rowCount(),
                                batch.statistics())
                        .encode();
        return FlightFrame.of(batch.metadata(), header, List.of(batch.body()));
    }

    /** The frame that applies this batch. */
    public static FlightFrame frame(
            long requestId, BucketId bucket, WriterStamp stamp, KvBatch batch) {
        byte[] header =
                new PutHeader(
                                requestId,
                                bucket,
                                stamp,
                                Kind.KV,
                                batch.schemaId(),
                                batch.count(),
                                List.of())
                        .encode();
        return FlightFrame.ofBody(header, batch.entries());
    }

    /** The batch of a LOG frame; its buffers are slices of the frame's. */
    public ArrowBatch arrowBatch(FlightFrame frame) {
        return new ArrowBatch(schemaId, count, frame.header(), frame.body(), statistics);
    }

    /** The batch of a KV frame; its entries are a slice of the frame's body. */
    public KvBatch kvBatch(FlightFrame frame) {
        return new KvBatch(schemaId, count, frame.body());
    }

    public byte[] encode() {
        WireOutput output = new WireOutput(256);
        output.writeVersion(FORMAT).writeVarint(requestId);
        MetadataCodec.writeBucketId(output, bucket);
        output.writeZigzag(stamp.writerId())
                .writeZigzag(stamp.sequence())
                .writeByte(kind.ordinal())
                .writeVarint(schemaId)
                .writeVarint(count)
                .writeVarint(statistics.size());
        for (ColumnStatistics column : statistics) {
            output.writeVarint(column.columnId())
                    .writeVarint(column.nullCount())
                    .writeNullableBytes(column.min())
                    .writeNullableBytes(column.max());
        }
        return output.toByteArray();
    }

    public static PutHeader decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        input.readVersion(FORMAT);
        long requestId = input.readVarint();
        BucketId bucket = MetadataCodec.readBucketId(input);
        WriterStamp stamp = new WriterStamp(input.readZigzag(), (int) input.readZigzag());
        int kind = input.readByte();
        if (kind >= Kind.values().length) {
            throw input.corrupt("the put kind " + kind);
        }
        int schemaId = input.readVarintAsInt();
        int count = input.readVarintAsInt();
        int columns = input.readCount();
        List<ColumnStatistics> statistics = new ArrayList<>(columns);
        for (int i = 0; i < columns; i++) {
            statistics.add(
                    new ColumnStatistics(
                            input.readVarintAsInt(),
                            input.readVarintAsInt(),
                            input.readNullableBytes(),
                            input.readNullableBytes()));
        }
        return new PutHeader(
                requestId, bucket, stamp, Kind.values()[kind], schemaId, count, statistics);
    }
}

package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.table.BucketId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Keys to look up, the app_metadata of a frame in a DoExchange stream; answered by one {@link
 * LookupResponse} with the same id, in any order.
 *
 * @param requestId chosen by the client, unique within the stream
 * @param kind KEYS: whole primary keys; PREFIXES: first columns of the key
 * @param keys in KeyCodec form
 */
public record LookupRequest(long requestId, BucketId bucket, Kind kind, List<byte[]> keys) {
    static final Format FORMAT = Format.first("lookup request", "wire.md");

    /** What is looked up; the position is the number on the wire. */
    public enum Kind {
        KEYS,
        PREFIXES
    }

    public LookupRequest {
        keys = List.copyOf(keys);
    }

    public byte[] encode() {
        WireOutput output = new WireOutput(32 + 24 * keys.size());
        output.writeVersion(FORMAT).writeVarint(requestId);
        MetadataCodec.writeBucketId(output, bucket);
        output.writeByte(kind.ordinal()).writeVarint(keys.size());
        for (byte[] key : keys) {
            output.writeBytes(key);
        }
        return output.toByteArray();
    }

    public static LookupRequest decode(ByteBuffer bytes) {
        WireInput input = new WireInput(bytes);
        input.readVersion(FORMAT);
        long requestId = input.readVarint();
        BucketId bucket = MetadataCodec.readBucketId(input);
        int kind = input.readByte();
        if (kind >= Kind.values().length) {
            throw input.corrupt("the lookup kind " + kind);
        }
        int count = input.readCount();
        List<byte[]> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keys.add(input.readBytes());
        }
        return new LookupRequest(requestId, bucket, Kind.values()[kind], keys);
    }
}

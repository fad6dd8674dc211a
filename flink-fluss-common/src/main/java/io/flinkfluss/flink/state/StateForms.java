package io.flinkfluss.flink.state;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TablePath;
import java.util.Map;
import java.util.TreeMap;

/** The stored forms of the values that most states share; they never change. */
public final class StateForms {
    /** Table, partition and bucket number as varints. */
    public static void writeBucket(Output output, BucketId bucket) {
        output.writeVarLong(bucket.table().value(), true);
        output.writeVarLong(bucket.partition(), true);
        output.writeVarInt(bucket.bucket(), true);
    }

    public static BucketId readBucket(Input input) {
        return new BucketId(
                new TableId(input.readVarLong(true)),
                input.readVarLong(true),
                input.readVarInt(true));
    }

    /** Count, then per bucket its form and the offset as a varint. */
    public static void writeOffsets(Output output, Map<BucketId, Long> offsets) {
        output.writeVarInt(offsets.size(), true);
        new TreeMap<>(offsets)
                .forEach(
                        (bucket, offset) -> {
                            writeBucket(output, bucket);
                            output.writeVarLong(offset, true);
                        });
    }

    public static Map<BucketId, Long> readOffsets(Input input) {
        int count = input.readVarInt(true);
        Map<BucketId, Long> offsets = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            BucketId bucket = readBucket(input);
            offsets.put(bucket, input.readVarLong(true));
        }
        return offsets;
    }

    /** Length as a varint, then the bytes. */
    public static void writeBytes(Output output, byte[] bytes) {
        output.writeVarInt(bytes.length, true);
        output.writeBytes(bytes);
    }

    public static byte[] readBytes(Input input) {
        return input.readBytes(input.readVarInt(true));
    }

    /** Database and table name as strings. */
    public static void writePath(Output output, TablePath path) {
        output.writeString(path.database());
        output.writeString(path.table());
    }

    public static TablePath readPath(Input input) {
        return new TablePath(input.readString(), input.readString());
    }

    private StateForms() {}
}

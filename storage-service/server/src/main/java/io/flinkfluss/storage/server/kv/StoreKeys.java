package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Keys and values as stored: table, partition (8 bytes each), bucket (4 bytes), then the row's key;
 * schema id (4 bytes), then the row. Big-endian, so a table and a bucket are ranges.
 */
final class StoreKeys {
    static final int PREFIX = 20;
    private static final int SCHEMA_ID = 4;

    private StoreKeys() {}

    static byte[] prefix(BucketId bucket) {
        return key(bucket, new byte[0]);
    }

    static byte[] key(BucketId bucket, byte[] key) {
        return write(ByteBuffer.allocate(PREFIX + key.length), bucket, key).array();
    }

    static ByteBuffer write(ByteBuffer target, BucketId bucket, byte[] key) {
        target.putLong(bucket.table().value()).putLong(bucket.partition());
        return target.putInt(bucket.bucket()).put(key);
    }

    static byte[] rowKey(byte[] storeKey) {
        return Arrays.copyOfRange(storeKey, PREFIX, storeKey.length);
    }

    static byte[] tablePrefix(TableId table) {
        return ByteBuffer.allocate(8).putLong(table.value()).array();
    }

    /** The smallest key that is larger than every key with this prefix; null when there is none. */
    static byte[] after(byte[] prefix) {
        for (int i = prefix.length - 1; i >= 0; i--) {
            if (prefix[i] != (byte) 0xFF) {
                byte[] after = Arrays.copyOf(prefix, i + 1);
                after[i]++;
                return after;
            }
        }
        return null;
    }

    static byte[] value(EncodedRow row) {
        return ByteBuffer.allocate(SCHEMA_ID + row.bytes().length)
                .putInt(row.schemaId())
                .put(row.bytes())
                .array();
    }

    /** The row in the buffer's remaining bytes, copied out. */
    static EncodedRow row(ByteBuffer value) {
        int schemaId = value.getInt();
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        return new EncodedRow(schemaId, bytes);
    }
}

package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.table.BucketId;
import java.nio.ByteBuffer;
import java.util.List;
import org.rocksdb.ByteBufferGetStatus;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Reads many keys with one call into RocksDB, through reused buffers. Used by one thread at a time.
 *
 * <p>RocksDB's simpler multi-get into a list must not be used: it returns null for a row that could
 * not be read, as for one that does not exist.
 */
final class BatchedGet {
    private static final int KEYS = 256;
    private static final int KEY_BYTES = 128;
    private static final int VALUE_BYTES = 1024;

    private final List<ByteBuffer> keys = List.of(slices(KEY_BYTES));
    private final List<ByteBuffer> values = List.of(slices(VALUE_BYTES));

    private static ByteBuffer[] slices(int size) {
        ByteBuffer all = ByteBuffer.allocateDirect(KEYS * size);
        ByteBuffer[] slices = new ByteBuffer[KEYS];
        for (int i = 0; i < KEYS; i++) {
            slices[i] = all.slice(i * size, size);
        }
        return slices;
    }

    /** Adds the row of each key, null without one, to {@code found}. */
    void get(
            RocksDB database,
            ReadOptions options,
            BucketId bucket,
            List<byte[]> rowKeys,
            List<EncodedRow> found)
            throws RocksDBException {
        int next = 0;
        while (next < rowKeys.size()) {
            int count = 0;
            while (count < KEYS && next + count < rowKeys.size() && fits(rowKeys, next + count)) {
                StoreKeys.write(keys.get(count).clear(), bucket, rowKeys.get(next + count)).flip();
                values.get(count).clear();
                count++;
            }
            if (count == 0) {
                found.add(getOne(database, options, bucket, rowKeys.get(next)));
                next++;
                continue;
            }
            List<ByteBufferGetStatus> results =
                    database.multiGetByteBuffers(
                            options, keys.subList(0, count), values.subList(0, count));
            for (int i = 0; i < count; i++) {
                ByteBufferGetStatus result = results.get(i);
                if (result.status.getCode() == Status.Code.NotFound) {
                    found.add(null);
                } else if (result.status.getCode() != Status.Code.Ok) {
                    throw new RocksDBException(result.status);
                } else if (result.requiredSize > VALUE_BYTES) {
                    found.add(getOne(database, options, bucket, rowKeys.get(next + i)));
                } else {
                    found.add(StoreKeys.row(result.value));
                }
            }
            next += count;
        }
    }

    private static boolean fits(List<byte[]> rowKeys, int index) {
        return StoreKeys.PREFIX + rowKeys.get(index).length <= KEY_BYTES;
    }

    private static EncodedRow getOne(
            RocksDB database, ReadOptions options, BucketId bucket, byte[] key)
            throws RocksDBException {
        byte[] value = database.get(options, StoreKeys.key(bucket, key));
        return value == null ? null : StoreKeys.row(ByteBuffer.wrap(value));
    }
}

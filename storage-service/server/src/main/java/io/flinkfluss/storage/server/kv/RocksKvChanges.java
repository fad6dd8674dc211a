package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** Changes of a {@link RocksKvStore}. */
final class RocksKvChanges implements KvChanges {
    private final WriteBatch batch = new WriteBatch();

    @Override
    public void put(BucketId bucket, byte[] key, EncodedRow row) {
        try {
            batch.put(StoreKeys.key(bucket, key), StoreKeys.value(row));
        } catch (RocksDBException e) {
            throw cannotCollect(e);
        }
    }

    @Override
    public void delete(BucketId bucket, byte[] key) {
        try {
            batch.delete(StoreKeys.key(bucket, key));
        } catch (RocksDBException e) {
            throw cannotCollect(e);
        }
    }

    @Override
    public void deleteTable(TableId table) {
        byte[] from = StoreKeys.tablePrefix(table);
        try {
            batch.deleteRange(from, StoreKeys.after(from));
        } catch (RocksDBException e) {
            throw cannotCollect(e);
        }
    }

    @Override
    public boolean isEmpty() {
        return batch.count() == 0;
    }

    WriteBatch batch() {
        return batch;
    }

    private static StorageException cannotCollect(RocksDBException cause) {
        return new StorageException(
                ErrorCode.INTERNAL, "cannot collect a change: " + cause.getMessage(), cause);
    }

    @Override
    public void close() {
        batch.close();
    }
}

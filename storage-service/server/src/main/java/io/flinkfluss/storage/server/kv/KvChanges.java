package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;

/** Changes that their {@link KvStore} applies all at once, in order. Used by one thread. */
public interface KvChanges extends AutoCloseable {
    void put(BucketId bucket, byte[] key, EncodedRow row);

    /** Deletes a row; nothing when there is none. */
    void delete(BucketId bucket, byte[] key);

    /** Deletes every row of the table. */
    void deleteTable(TableId table);

    boolean isEmpty();

    @Override
    void close();
}

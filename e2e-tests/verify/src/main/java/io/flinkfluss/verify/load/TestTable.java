package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.record.BucketHash;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.verify.check.BucketHistory;
import java.util.List;

/**
 * A table under test with what is known of each of its buckets. Its rows are writer, sequence and a
 * text that follows from both; a primary-key table has the key before.
 */
public final class TestTable {
    private final TableInfo info;
    private final List<BucketHistory> histories;
    private final KeyCodec keys;
    private final BucketHash hash;

    TestTable(TableInfo info, List<BucketHistory> histories) {
        this.info = info;
        this.histories = List.copyOf(histories);
        keys =
                info.hasPrimaryKey()
                        ? new KeyCodec(info.schema(), info.schema().keyIndexes())
                        : null;
        hash =
                info.hasPrimaryKey()
                        ? new BucketHash(
                                info.schema(),
                                info.schema().keyIndexes(),
                                info.descriptor().bucketCount())
                        : null;
    }

    public TableInfo info() {
        return info;
    }

    public List<BucketId> buckets() {
        return info.buckets();
    }

    public BucketHistory history(BucketId bucket) {
        return histories.get(bucket.bucket());
    }

    /** The bucket that a key belongs to. */
    public BucketId bucketOf(int key) {
        return BucketId.of(info.id(), hash.bucketOfKeyRow(GenericRow.of((long) key)));
    }

    byte[] encodeKey(int key) {
        return keys.encodeKeyRow(GenericRow.of((long) key));
    }

    @Override
    public String toString() {
        return info.path().table();
    }
}

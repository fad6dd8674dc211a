package io.flinkfluss.storage.api.table;

import java.util.Comparator;

/**
 * One bucket: the unit of order and parallelism.
 *
 * @param partition the partition's number, {@link #NO_PARTITION} for a table without partitions
 * @param bucket from 0 to the table's bucket count, exclusive
 */
public record BucketId(TableId table, long partition, int bucket) implements Comparable<BucketId> {
    public static final long NO_PARTITION = 0;

    private static final Comparator<BucketId> ORDER =
            Comparator.comparing(BucketId::table)
                    .thenComparingLong(BucketId::partition)
                    .thenComparingInt(BucketId::bucket);

    public BucketId {
        if (bucket < 0) {
            throw new IllegalArgumentException("a bucket's number is 0 or more, not " + bucket);
        }
    }

    public static BucketId of(TableId table, int bucket) {
        return new BucketId(table, NO_PARTITION, bucket);
    }

    /**
     * The shard that serves this bucket; a fixed function, so every node and client agrees without
     * asking.
     */
    public int shard(int shardCount) {
        long hash = (table.value() * 31 + partition) * 31 + bucket;
        return (int) Long.remainderUnsigned(hash, shardCount);
    }

    @Override
    public int compareTo(BucketId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return partition == NO_PARTITION
                ? table + "/" + bucket
                : table + "/" + partition + "/" + bucket;
    }
}

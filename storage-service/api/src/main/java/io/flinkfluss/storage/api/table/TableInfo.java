package io.flinkfluss.storage.api.table;

import java.util.List;
import java.util.stream.IntStream;

/** A table that exists. */
public record TableInfo(
        TableId id,
        TablePath path,
        TableDescriptor descriptor,
        long createdAtMillis,
        long modifiedAtMillis) {
    public Schema schema() {
        return descriptor.schema();
    }

    public boolean hasPrimaryKey() {
        return descriptor.hasPrimaryKey();
    }

    /** Every bucket of a table without partitions, in order. */
    public List<BucketId> buckets() {
        return IntStream.range(0, descriptor.bucketCount())
                .mapToObj(bucket -> BucketId.of(id, bucket))
                .toList();
    }
}

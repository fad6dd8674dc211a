package io.flinkfluss.flink.source.split;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import org.apache.flink.api.connector.source.SourceEvent;

/** A reader tells the enumerator that a bucket no longer needs the snapshot. */
public final class StateReadEvent implements SourceEvent {
    private static final long serialVersionUID = 1L;

    private final long table;
    private final long partition;
    private final int bucket;

    public StateReadEvent(BucketId bucket) {
        this.table = bucket.table().value();
        this.partition = bucket.partition();
        this.bucket = bucket.bucket();
    }

    public BucketId bucket() {
        return new BucketId(new TableId(table), partition, bucket);
    }
}

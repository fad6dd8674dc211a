package io.flinkfluss.flink.source.split;

import io.flinkfluss.storage.api.table.BucketId;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * What one subtask reads of one bucket. A bucket has one split at a time, so the bucket names it.
 */
public sealed interface FlussSplit extends SourceSplit permits LogSplit, KvSplit {
    BucketId bucket();

    @Override
    default String splitId() {
        return bucket().toString();
    }
}

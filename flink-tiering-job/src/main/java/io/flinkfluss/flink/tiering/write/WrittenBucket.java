package io.flinkfluss.flink.tiering.write;

import io.flinkfluss.storage.api.table.BucketId;

/**
 * A range that is in files.
 *
 * @param end first offset that is not in them, at most the planned end
 * @param newestMillis commit time of the newest row
 * @param files for the committer
 */
public record WrittenBucket(BucketId bucket, long end, long newestMillis, byte[] files) {}

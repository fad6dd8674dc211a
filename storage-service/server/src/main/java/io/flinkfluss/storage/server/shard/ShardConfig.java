package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.server.log.LogConfig;

/**
 * Settings of a shard. All replicas of a shard must have the same, because they decide what is
 * refused and how files look.
 *
 * @param maxBatchBytes a larger batch is refused with RECORD_TOO_LARGE
 * @param maxAnswerBytes a prefix lookup whose rows are larger is refused
 */
public record ShardConfig(LogConfig log, int maxBatchBytes, int maxAnswerBytes) {
    public static final ShardConfig DEFAULT =
            new ShardConfig(LogConfig.DEFAULT, 16 << 20, 16 << 20);
}

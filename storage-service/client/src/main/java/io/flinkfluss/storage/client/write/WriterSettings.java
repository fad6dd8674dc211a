package io.flinkfluss.storage.client.write;

import java.time.Duration;

/**
 * How rows become batches.
 *
 * @param batchBytes size at which a batch is full, before compression
 * @param maxInFlightPerBucket batches of a bucket that may be on their way at once, 1 or more
 * @param stampIdleTime a bucket that got nothing for so long begins again as a new writer, since
 *     the service forgets writers that are idle for days
 */
public record WriterSettings(int batchBytes, int maxInFlightPerBucket, Duration stampIdleTime) {
    /** 1 MiB, 4 batches, 1 day. */
    public static final WriterSettings DEFAULT = new WriterSettings(1 << 20, 4, Duration.ofDays(1));

    /** With the default idle time. */
    public WriterSettings(int batchBytes, int maxInFlightPerBucket) {
        this(batchBytes, maxInFlightPerBucket, DEFAULT.stampIdleTime());
    }

    public WriterSettings {
        if (batchBytes < 1 || maxInFlightPerBucket < 1) {
            throw new IllegalArgumentException(
                    "batch bytes and batches in flight are 1 or more, not "
                            + batchBytes
                            + " and "
                            + maxInFlightPerBucket);
        }
    }
}

package io.flinkfluss.storage.client.write;

/**
 * How rows become batches.
 *
 * @param batchBytes size at which a batch is full, before compression
 * @param maxInFlightPerBucket batches of a bucket that may be on their way at once, 1 or more
 */
public record WriterSettings(int batchBytes, int maxInFlightPerBucket) {
    /** 1 MiB, 4 batches. */
    public static final WriterSettings DEFAULT = new WriterSettings(1 << 20, 4);

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

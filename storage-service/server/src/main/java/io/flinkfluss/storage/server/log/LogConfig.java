package io.flinkfluss.storage.server.log;

/**
 * Settings of bucket logs.
 *
 * @param segmentBytes a segment that would grow past this is closed and a new one begun
 * @param openFiles files that one shard keeps open
 */
public record LogConfig(long segmentBytes, int openFiles) {
    public static final LogConfig DEFAULT = new LogConfig(256L << 20, 256);

    public LogConfig {
        if (segmentBytes < 1 || openFiles < 1) {
            throw new IllegalArgumentException(
                    "segmentBytes and openFiles are 1 or more, not "
                            + segmentBytes
                            + " and "
                            + openFiles);
        }
    }
}

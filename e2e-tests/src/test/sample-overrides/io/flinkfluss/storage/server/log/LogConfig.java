package io.flinkfluss.storage.server.log;

/** Takes the place of the server's setting while a sample is written: many small segments. */
public record LogConfig(long segmentBytes, int openFiles) {
    public static final LogConfig DEFAULT = new LogConfig(16L << 10, 256);
}

package io.flinkfluss.storage.server.log;

/** Size of the bucket logs of one shard on the local disk. */
public record LogFigures(long segments, long bytes) {}

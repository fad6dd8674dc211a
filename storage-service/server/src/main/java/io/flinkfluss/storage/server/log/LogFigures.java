package io.flinkfluss.storage.server.log;

/**
 * Size of the bucket logs of one shard.
 *
 * @param segments on the local disk
 * @param bytes of these
 * @param remoteBytes of the segments in remote storage
 */
public record LogFigures(long segments, long bytes, long remoteBytes) {}

package io.flinkfluss.storage.server.runtime;

/**
 * Space of a disk.
 *
 * @param refusesWrites because it is nearly full
 */
public record DiskFigures(long totalBytes, long usedBytes, boolean refusesWrites) {}

package io.flinkfluss.storage.server.kv;

/**
 * Size and health of one key-value store.
 *
 * @param fileBytes of its data files
 * @param memtableBytes rows that are in memory only
 * @param level0Files many mean that compaction lags
 */
public record KvFigures(
        long fileBytes,
        long memtableBytes,
        long level0Files,
        boolean compactionPending,
        boolean writeStopped) {}

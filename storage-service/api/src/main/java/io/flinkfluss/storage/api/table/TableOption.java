package io.flinkfluss.storage.api.table;

/**
 * The {@code table.*} options a table can be created with. Names are the anchor's (anchor-features
 * 1.33 to 1.53), so scripts run unchanged; a value that this version cannot honour is refused at
 * CREATE.
 */
public enum TableOption {
    REPLICATION_FACTOR(
            "table.replication.factor",
            "1",
            "Number of copies of each bucket. At most the number of nodes."),
    LOG_FORMAT("table.log.format", "ARROW", "Format of log batches. Only ARROW."),
    LOG_COMPRESSION(
            "table.log.arrow.compression.type",
            "ZSTD",
            "Compression of Arrow buffers: NONE, LZ4_FRAME or ZSTD."),
    LOG_ZSTD_LEVEL("table.log.arrow.compression.zstd.level", "1", "ZSTD level, 1 to 22."),
    KV_FORMAT("table.kv.format", "COMPACTED", "Format of rows in key-value state. Only COMPACTED."),
    LOG_TTL(
            "table.log.ttl",
            "7 d",
            "How long log rows are kept, of a primary-key table its changelog; 0 keeps them for"
                    + " ever. Whole segments are given up, so rows may stay an eighth longer. Rows"
                    + " of a lake-enabled table stay until they are in the lake."),
    LOG_MAX_BYTES(
            "table.log.max-bytes",
            "0",
            "Bytes that the log of one bucket may take before its oldest segments are given up; 0"
                    + " is no limit."),
    LOG_LOCAL_TTL(
            "table.log.local-ttl",
            "7 d",
            "How long log rows that were copied to remote storage stay on local disks; at most"
                    + " table.log.ttl, which it is unless it is set."),
    LOG_LOCAL_SEGMENTS(
            "table.log.tiered.local-segments",
            "2",
            "Newest segments of a bucket, the one being written included, that stay on local disks"
                    + " although they were copied to remote storage; 1 or more."),
    MERGE_ENGINE(
            "table.merge-engine",
            "",
            "How rows with an equal key merge. Empty: the last row wins."),
    DELETE_BEHAVIOR("table.delete.behavior", "ALLOW", "What a delete does: ALLOW applies it."),
    CHANGELOG_IMAGE(
            "table.changelog.image",
            "FULL",
            "What an update writes to the changelog. Only FULL: old and new row."),
    STATISTICS_COLUMNS(
            "table.statistics.columns",
            "*",
            "Columns with min, max and null count per batch: * or a comma list."),
    DATALAKE_ENABLED(
            "table.datalake.enabled",
            "false",
            "Whether the tiering job copies this table to the lake."),
    DATALAKE_FORMAT(
            "table.datalake.format",
            "iceberg",
            "Lake format of this table; must be the one of the storage service."),
    DATALAKE_FRESHNESS(
            "table.datalake.freshness",
            "3 min",
            "How old the lake's copy may become before a new tiering round."),
    DATALAKE_AUTO_COMPACTION(
            "table.datalake.auto-compaction",
            "true",
            "Whether tiering also merges small lake files."),
    DATALAKE_AUTO_EXPIRE(
            "table.datalake.auto-expire-snapshot",
            "true",
            "Whether tiering also expires old lake snapshots.");

    private final String key;
    private final String defaultValue;
    private final String description;

    TableOption(String key, String defaultValue, String description) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.description = description;
    }

    public String key() {
        return key;
    }

    public String defaultValue() {
        return defaultValue;
    }

    public String description() {
        return description;
    }
}

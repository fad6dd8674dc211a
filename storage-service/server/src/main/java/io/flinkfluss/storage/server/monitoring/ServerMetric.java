package io.flinkfluss.storage.server.monitoring;

import java.util.List;

/**
 * Every metric of the storage service, and the source of docs/metrics.md. A name is the anchor's
 * where the meaning is the same; what the anchor gives as a rate per second is a counter here
 * (without {@code PerSecond}), from which Prometheus makes rates. No metric has a label per bucket.
 */
public enum ServerMetric {
    REQUESTS(
            Type.COUNTER,
            "request_requests",
            "requests",
            Labels.REQUEST,
            "Requests that were begun, by kind."),
    REQUEST_ERRORS(
            Type.COUNTER,
            "request_errors",
            "requests",
            Labels.REQUEST_AND_CODE,
            "Requests that clients got an error for, by kind and error code."),
    REQUEST_TIME(
            Type.HISTOGRAM,
            "request_totalTimeMs",
            "milliseconds",
            Labels.REQUEST,
            "From the arrival of a request to its answer. For writes this includes the log entry,"
                    + " its fsync and the majority; reads of a log are not timed, they go on."),
    REQUEST_QUEUE(
            Type.GAUGE,
            "request_requestQueueSize",
            "tasks",
            Labels.NONE,
            "Tasks that wait for a thread: reads of disks and changes of metadata."),
    IN_FLIGHT_BYTES(
            Type.GAUGE,
            "request_inFlightBytes",
            "bytes",
            Labels.NONE,
            "Writes and lookups that were taken in and are not answered yet."),
    IN_FLIGHT_LIMIT(
            Type.GAUGE,
            "request_inFlightBytesLimit",
            "bytes",
            Labels.NONE,
            "From here on the node reads no further writes and lookups from its connections"
                    + " (transport.node-in-flight-bytes)."),

    MESSAGES_IN(Type.COUNTER, "messagesIn", "rows", Labels.NONE, "Rows and key changes written."),
    BYTES_IN(Type.COUNTER, "bytesIn", "bytes", Labels.NONE, "Bytes of batches written."),
    MESSAGES_OUT(
            Type.COUNTER,
            "messagesOut",
            "rows",
            Labels.NONE,
            "Rows given to readers of logs and of snapshots, and found by lookups."),
    BYTES_OUT(Type.COUNTER, "bytesOut", "bytes", Labels.NONE, "Bytes of these rows."),
    OPEN_READERS(
            Type.GAUGE,
            "openReaders",
            "streams",
            Labels.NONE,
            "Reads of logs and snapshots that are open now."),

    TABLE_COUNT(Type.GAUGE, "tableCount", "tables", Labels.NONE, "Tables of the cluster."),
    BUCKET_COUNT(Type.GAUGE, "bucketCount", "buckets", Labels.NONE, "Buckets of all tables."),
    LEADER_COUNT(
            Type.GAUGE,
            "leaderCount",
            "buckets",
            Labels.NONE,
            "Buckets whose shard this node leads."),
    REPLICA_COUNT(
            Type.GAUGE,
            "replicaCount",
            "buckets",
            Labels.NONE,
            "Buckets of which this node holds a replica."),

    DISK_USED(
            Type.GAUGE,
            "diskUsedBytes",
            "bytes",
            Labels.NONE,
            "Used space of the disk that holds the data directory, by whomever."),
    DISK_TOTAL(Type.GAUGE, "diskTotalBytes", "bytes", Labels.NONE, "Size of that disk."),
    DISK_USAGE_RATIO(
            Type.GAUGE,
            "diskUsageRatio",
            "0 to 1",
            Labels.NONE,
            "Used part of that disk; writes are refused from disk.write-limit-ratio on."),
    DISK_WRITE_LOCKED(
            Type.GAUGE,
            "diskWriteLocked",
            "0 or 1",
            Labels.NONE,
            "1 while writes are refused because the disk is nearly full."),
    LOG_SIZE(
            Type.GAUGE, "logSize", "bytes", Labels.NONE, "Local segments of all bucket logs here."),
    REMOTE_LOG_SIZE(
            Type.GAUGE,
            "remoteLogSize",
            "bytes",
            Labels.NONE,
            "Segments of these logs in remote storage."),
    SEGMENT_COUNT(Type.GAUGE, "numSegments", "files", Labels.NONE, "Number of local segments."),
    KV_SIZE(
            Type.GAUGE,
            "kvSize",
            "bytes",
            Labels.NONE,
            "Data files of the key-value state of all shards here."),

    DIRECT_MEMORY_USED(
            Type.GAUGE,
            "directMemoryUsed",
            "bytes",
            Labels.POOL,
            "Memory outside of the heap, by who holds it: jdk (buffers of files and of the"
                    + " network), arrow (batches being made); transport and replication (network"
                    + " buffers) where they are not the JDK's."),
    DIRECT_MEMORY_LIMIT(
            Type.GAUGE,
            "directMemoryLimit",
            "bytes",
            Labels.POOL,
            "What each of them may hold at most."),
    ROCKSDB_MEMORY(
            Type.GAUGE,
            "rocksdbMemoryUsageTotal",
            "bytes",
            Labels.NONE,
            "Block cache and memtables of all shards; memtables are accounted within the cache."),
    ROCKSDB_CACHE(
            Type.GAUGE,
            "rocksdbBlockCacheUsage",
            "bytes",
            Labels.NONE,
            "The part of it that caches data blocks, indexes and filters."),
    ROCKSDB_CACHE_LIMIT(
            Type.GAUGE,
            "rocksdbBlockCacheCapacity",
            "bytes",
            Labels.NONE,
            "Size of the one cache that all shards share."),
    ROCKSDB_MEMTABLES(
            Type.GAUGE,
            "rocksdbMemtableUsage",
            "bytes",
            Labels.NONE,
            "Rows of all shards that are not in data files yet."),
    ROCKSDB_MEMTABLES_LIMIT(
            Type.GAUGE,
            "rocksdbMemtableLimit",
            "bytes",
            Labels.NONE,
            "From here on memtables are written to disk early."),
    ROCKSDB_LEVEL_0(
            Type.GAUGE,
            "rocksdbNumFilesAtLevel0Max",
            "files",
            Labels.NONE,
            "Most files at level 0 of one shard; many mean that compaction lags."),
    ROCKSDB_COMPACTIONS(
            Type.GAUGE,
            "rocksdbCompactionPendingMax",
            "0 or 1",
            Labels.NONE,
            "1 while a shard has compactions to do."),
    ROCKSDB_STALLED(
            Type.GAUGE,
            "rocksdbWriteStopped",
            "shards",
            Labels.NONE,
            "Shards whose writes wait for compaction."),

    GROUP_LEADER(
            Type.GAUGE,
            "group_leader",
            "0 or 1",
            Labels.GROUP,
            "1 on the node that leads the group (metadata, shard-0, …)."),
    GROUP_TERM(
            Type.GAUGE,
            "group_term",
            "number",
            Labels.GROUP,
            "The group's term; it grows with each election."),
    GROUP_APPLIED(
            Type.GAUGE,
            "group_appliedIndex",
            "log entries",
            Labels.GROUP,
            "The last applied entry; its rate is entries per second."),
    GROUP_LAG(
            Type.GAUGE,
            "group_applyLag",
            "log entries",
            Labels.GROUP,
            "Committed entries, as far as this node knows, that it has not applied yet."),
    GROUP_LOG_SIZE(
            Type.GAUGE,
            "group_logSize",
            "bytes",
            Labels.GROUP,
            "Files of the group's replicated log, preallocated space included."),
    GROUP_FLUSH_TIME(
            Type.GAUGE,
            "group_logFlushLatencyMs",
            "milliseconds",
            Labels.GROUP_AND_QUANTILE,
            "Time of an fsync of the replicated log, over the last minutes: 0.5, 0.99 and 1 (the"
                    + " longest)."),
    GROUP_FLUSHES(
            Type.COUNTER,
            "group_logFlushes",
            "fsyncs",
            Labels.GROUP,
            "Fsyncs of the replicated log."),
    GROUP_QUEUED(
            Type.GAUGE,
            "group_queuedCommands",
            "commands",
            Labels.GROUP,
            "Commands that wait for the next log entry."),
    GROUP_QUEUED_BYTES(
            Type.GAUGE, "group_queuedBytes", "bytes", Labels.GROUP, "Bytes of these commands."),
    GROUP_IN_FLIGHT(
            Type.GAUGE,
            "group_entriesInFlight",
            "log entries",
            Labels.GROUP,
            "Entries that are being made durable."),
    GROUP_SINCE_CHECKPOINT(
            Type.GAUGE,
            "group_bytesSinceCheckpoint",
            "bytes",
            Labels.GROUP,
            "What a restart would have to apply again."),
    GROUP_REPLAY_TIME(
            Type.GAUGE,
            "group_replayTimeMs",
            "milliseconds",
            Labels.GROUP,
            "Processor time that applying that took."),
    GROUP_CHECKPOINT_AGE(
            Type.GAUGE,
            "group_checkpointAgeMs",
            "milliseconds",
            Labels.GROUP,
            "Since the last checkpoint of this process, or its start."),
    GROUP_CHECKPOINT_FAILURES(
            Type.COUNTER,
            "group_checkpointFailures",
            "checkpoints",
            Labels.GROUP,
            "Checkpoints that failed and are tried again."),
    GROUP_CHECKPOINTS(
            Type.COUNTER,
            "group_checkpoints",
            "checkpoints",
            Labels.GROUP,
            "Checkpoints of the group's state here."),
    GROUP_CHECKPOINT_TIME(
            Type.GAUGE,
            "group_checkpointTimeMs",
            "milliseconds",
            Labels.GROUP,
            "How long the last one took; the group applies nothing meanwhile."),

    TABLE_MESSAGES_IN(
            Type.COUNTER, "table_messagesIn", "rows", Labels.TABLE, "messagesIn of a table."),
    TABLE_BYTES_IN(Type.COUNTER, "table_bytesIn", "bytes", Labels.TABLE, "bytesIn of a table."),
    TABLE_MESSAGES_OUT(
            Type.COUNTER, "table_messagesOut", "rows", Labels.TABLE, "messagesOut of a table."),
    TABLE_BYTES_OUT(Type.COUNTER, "table_bytesOut", "bytes", Labels.TABLE, "bytesOut of a table."),
    TABLE_PRODUCE_LOG(
            Type.COUNTER,
            "table_totalProduceLogRequests",
            "requests",
            Labels.TABLE,
            "Batches appended to a log table."),
    TABLE_PRODUCE_LOG_FAILED(
            Type.COUNTER,
            "table_failedProduceLogRequests",
            "requests",
            Labels.TABLE,
            "Those that were refused or failed."),
    TABLE_PUT_KV(
            Type.COUNTER,
            "table_totalPutKvRequests",
            "requests",
            Labels.TABLE,
            "Batches put into a primary-key table."),
    TABLE_PUT_KV_FAILED(
            Type.COUNTER,
            "table_failedPutKvRequests",
            "requests",
            Labels.TABLE,
            "Those that were refused or failed."),
    TABLE_FETCH_LOG(
            Type.COUNTER,
            "table_totalFetchLogRequests",
            "requests",
            Labels.TABLE,
            "Reads of a log that were begun."),
    TABLE_FETCH_LOG_FAILED(
            Type.COUNTER,
            "table_failedFetchLogRequests",
            "requests",
            Labels.TABLE,
            "Those that could not begin, or broke."),
    TABLE_LOOKUP(
            Type.COUNTER,
            "table_totalLookupRequests",
            "requests",
            Labels.TABLE,
            "Lookup messages, of many keys each."),
    TABLE_LOOKUP_FAILED(
            Type.COUNTER,
            "table_failedLookupRequests",
            "requests",
            Labels.TABLE,
            "Those that failed."),
    TABLE_LOOKUP_KEYS(
            Type.COUNTER,
            "table_lookupKeys",
            "keys",
            Labels.TABLE,
            "Keys and key prefixes that were looked up."),
    TABLE_PREFIX_LOOKUP(
            Type.COUNTER,
            "table_totalPrefixLookupRequests",
            "requests",
            Labels.TABLE,
            "Lookups by a prefix of the key."),
    TABLE_PREFIX_LOOKUP_FAILED(
            Type.COUNTER,
            "table_failedPrefixLookupRequests",
            "requests",
            Labels.TABLE,
            "Those that failed."),
    TABLE_TIER_LAG(
            Type.GAUGE,
            "table_tierLag",
            "milliseconds",
            Labels.TABLE,
            "Of a table that the tiering job copies: age of the newest lake snapshot's end, and 0"
                    + " when the lake holds every row."),
    TABLE_PENDING_RECORDS(
            Type.GAUGE,
            "table_pendingRecords",
            "rows",
            Labels.TABLE,
            "Rows of such a table's log here that the lake does not hold yet.");

    /** How a metric behaves. */
    public enum Type {
        /** Only grows; its name ends in {@code _total} when it is read. */
        COUNTER,
        GAUGE,
        /** Counts per range of values. */
        HISTOGRAM
    }

    private static final String PREFIX = "fluss_tabletserver_";

    private final Type type;
    private final String name;
    private final String unit;
    private final List<String> labels;
    private final String description;

    ServerMetric(Type type, String name, String unit, List<String> labels, String description) {
        this.type = type;
        this.name = name;
        this.unit = unit;
        this.labels = labels;
        this.description = description;
    }

    public Type type() {
        return type;
    }

    /** As Prometheus shows it. */
    public String shownName() {
        return metricName() + (type == Type.COUNTER ? "_total" : "");
    }

    String metricName() {
        return PREFIX + name;
    }

    public String unit() {
        return unit;
    }

    public List<String> labels() {
        return labels;
    }

    public String description() {
        return description;
    }

    /** The labels there are. */
    private static final class Labels {
        private static final List<String> NONE = List.of();
        private static final List<String> REQUEST = List.of("request");
        private static final List<String> REQUEST_AND_CODE = List.of("request", "code");
        private static final List<String> POOL = List.of("pool");
        private static final List<String> GROUP = List.of("group");
        private static final List<String> GROUP_AND_QUANTILE = List.of("group", "quantile");
        private static final List<String> TABLE = List.of("database", "table");
    }
}

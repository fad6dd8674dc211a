package io.flinkfluss.storage.server;

/** What can be set with {@code -D key=value}; {@code datalake.*} keys are free. */
public enum ServerOption {
    REPLICATION_FSYNC(
            "replication.fsync",
            "true",
            "Whether a write is acknowledged only after the disk has it. false survives kill -9 but"
                    + " not power loss."),
    REPLICATION_ENTRY_BYTES(
            "replication.entry-bytes",
            "1048576",
            "Waiting writes are gathered into one log entry up to this size."),
    REPLICATION_ENTRIES_IN_FLIGHT(
            "replication.entries-in-flight",
            "2",
            "Log entries per shard that may be on their way."),
    REPLICATION_ELECTION_TIMEOUT_MILLIS(
            "replication.election-timeout-millis",
            "1000",
            "The nodes elect another leader for a shard when they have not heard of its leader for"
                    + " once to one and a half times this time. The same on all nodes. Shorter times find a dead"
                    + " node sooner, and take a busy one for dead."),
    CHECKPOINT_BYTES(
            "checkpoint.bytes",
            "67108864",
            "A shard makes a checkpoint after it has applied so many bytes."),
    CHECKPOINT_REPLAY_TIME(
            "checkpoint.replay-time",
            "1 s",
            "A shard makes a checkpoint after applying has taken so much processor time, because a"
                    + " restart would have to do it again. For this alone checkpoints take at most a"
                    + " quarter of the time."),
    CHECKPOINT_AGE_SECONDS(
            "checkpoint.age-seconds",
            "60",
            "A changed shard makes a checkpoint at least this often."),
    CHECKPOINT_FETCH_BYTES_PER_SECOND(
            "checkpoint.fetch-bytes-per-second",
            "67108864",
            "A node whose replicas are too far behind for the log fetches checkpoints of other nodes"
                    + " at this speed, so that reads and writes go on beside it."),
    LOG_SEGMENT_BYTES(
            "log.segment.file-size",
            "268435456",
            "A segment of a bucket's log that would grow past so many bytes is closed and a new one"
                    + " begun; retention and remote storage work on whole segments."),
    LOG_READER_PATIENCE(
            "log.retention.reader-patience",
            "10 min",
            "Rows that are too old are kept for readers that are there and get on, up to six times"
                    + " as long; a reader that makes no progress for this time is left behind. A"
                    + " new leader gives up nothing for this time, so that readers can come back."),
    REMOTE_FOLDER(
            "remote.data.dir",
            "",
            "Where complete segments are copied: a folder that all nodes see, or s3://bucket/folder"
                    + " (then iceberg-aws, iceberg-core and the AWS SDK must be in lib). One cluster"
                    + " per folder. Settings of the file system are remote.fs.*, such as"
                    + " remote.fs.s3.endpoint. Empty: everything stays on local disks."),
    REMOTE_INTERVAL(
            "remote.log.task-interval-duration",
            "1 min",
            "How often is looked for rows to give up and segments to copy."),
    REMOTE_SEGMENTS(
            "remote.log.task-max-upload-segments",
            "5",
            "Segments that one shard copies in one go."),
    REMOTE_THREADS(
            "remote.log.data-transfer-thread-num",
            "4",
            "Threads that copy to remote storage, and as many that read from it."),
    REMOTE_BYTES_PER_SECOND(
            "remote.log.copy-bytes-per-second",
            "0",
            "Bytes that a node copies to remote storage in a second; 0 is no limit."),
    REMOTE_CACHE_BYTES(
            "remote.log.read-cache-bytes",
            "0",
            "Memory for what was read from remote storage; 0 is a sixteenth of the heap."),
    REMOTE_DELETE_GRACE(
            "remote.log.delete-grace",
            "1 h",
            "An object in remote storage is deleted when the log has not known it for so long:"
                    + " copies of given up rows and dropped tables, and those of uploads that were"
                    + " cut off."),
    DISK_WRITE_LIMIT_RATIO(
            "disk.write-limit-ratio",
            "0.9",
            "Writes are refused when this part of the disk is used."),
    DISK_LEAST_FREE_BYTES(
            "disk.least-free-bytes", "268435456", "Writes are refused when fewer bytes are free."),
    BATCH_BYTES_MAX("batch.bytes-max", "8388608", "Largest batch that can be written."),
    REQUEST_TIMEOUT_SECONDS(
            "request.timeout-seconds", "30", "How long the server works on one request at most."),
    NODE_IN_FLIGHT_BYTES(
            "transport.node-in-flight-bytes",
            "0",
            "Bytes of unanswered writes and lookups the node takes in before it stops reading from"
                    + " connections; 0 is an eighth of the heap."),
    STREAM_IN_FLIGHT_BYTES(
            "transport.stream-in-flight-bytes",
            "16777216",
            "The same for one stream of one client."),
    METRICS_PORT(
            "metrics.port",
            "auto",
            "Port of /metrics, /health and /ready: a number, off, or auto, which is --port + 126 (9249"
                    + " beside 9123) or, when that is taken, any free one; the log says which."),
    METRICS_HOST("metrics.host", "", "Address that these are served on; empty for that of --host."),
    METRICS_TABLES_MAX(
            "metrics.tables-max",
            "1000",
            "Tables with metrics of their own; those of further tables are added up as (other)."),
    ADVERTISED_HOST(
            "advertised.host",
            "",
            "Name under which clients reach this node; empty for --host, or this machine's name when"
                    + " that is 0.0.0.0.");

    private final String key;
    private final String defaultValue;
    private final String description;

    ServerOption(String key, String defaultValue, String description) {
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

package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.kv.KvCursor;
import io.flinkfluss.storage.server.kv.KvScan;
import io.flinkfluss.storage.server.log.BucketLog;
import io.flinkfluss.storage.server.log.LogCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;

/** The reads of a shard, on what the applying thread made visible. */
final class ShardReader implements ShardReads {
    private final ShardTables tables;
    private final BufferAllocator allocator;
    private final ShardConfig config;

    /** Replaced when a checkpoint is installed. */
    private volatile Storage storage;

    ShardReader(
            ShardTables tables, Storage storage, BufferAllocator allocator, ShardConfig config) {
        this.tables = tables;
        this.storage = storage;
        this.allocator = allocator;
        this.config = config;
    }

    /** Reads go on here. */
    void replace(Storage installed) {
        storage = installed;
    }

    @Override
    public ShardFigures figures() {
        Storage now = storage;
        return new ShardFigures(now.logs().figures(), now.kv().figures());
    }

    @Override
    public boolean knows(TableId table) {
        return tables.find(table).isPresent();
    }

    @Override
    public Set<TableId> tables() {
        return tables.ids();
    }

    @Override
    public long logStart(BucketId bucket) {
        tables.require(bucket);
        return storage.logs().find(bucket).map(BucketLog::startOffset).orElse(0L);
    }

    @Override
    public long logEnd(BucketId bucket) {
        tables.require(bucket);
        return storage.logs().find(bucket).map(BucketLog::endOffset).orElse(0L);
    }

    @Override
    public long offsetAt(BucketId bucket, long millis) {
        tables.require(bucket);
        return storage.logs().find(bucket).map(log -> log.offsetAt(millis)).orElse(0L);
    }

    @Override
    public LogCursor openLog(ScanRequest request) {
        TableState table = tables.require(request.bucket());
        checkColumns(table.schema(), request.columnIndexes());
        BucketLog log = storage.logs().obtain(request.bucket());
        // If the table was dropped meanwhile, the log may be one that nobody will write.
        tables.require(request.bucket());
        // What an update took away and what it put in its place may be in different batches.
        ScanRequest asked =
                table.info().hasPrimaryKey() ? request.matching(LogFilter.NONE) : request;
        return log.open(asked, table.schema());
    }

    @Override
    public Registration onCommit(BucketId bucket, Runnable listener) {
        tables.require(bucket);
        Registration registration = tables.listen(bucket, listener);
        try {
            tables.require(bucket);
            return registration;
        } catch (StorageException dropped) {
            registration.close();
            throw dropped;
        }
    }

    @Override
    public List<Optional<EncodedRow>> lookup(BucketId bucket, List<byte[]> keys) {
        requireKeyed(bucket);
        List<Optional<EncodedRow>> found = new ArrayList<>(keys.size());
        storage.kv().get(bucket, keys).forEach(row -> found.add(Optional.ofNullable(row)));
        return found;
    }

    @Override
    public List<EncodedRow> prefixLookup(BucketId bucket, byte[] prefix) {
        requireKeyed(bucket);
        return storage.kv().getPrefix(bucket, prefix, config.maxAnswerBytes());
    }

    @Override
    public KvCursor openKv(KvScanRequest request, long nowMillis) {
        TableState table = requireKeyed(request.bucket());
        checkColumns(table.schema(), request.columnIndexes());
        return storage.snapshots()
                .scan(
                        new KvScan(request, table.schema(), table.compression(), allocator),
                        nowMillis);
    }

    private TableState requireKeyed(BucketId bucket) {
        TableState table = tables.require(bucket);
        if (!table.info().hasPrimaryKey()) {
            throw new StorageException(
                    ErrorCode.UNSUPPORTED,
                    "table "
                            + table.info().path()
                            + " has no primary key, so it has no rows by key; scan its log");
        }
        return table;
    }

    private static void checkColumns(Schema schema, int[] columnIndexes) {
        if (columnIndexes == null) {
            return;
        }
        for (int index : columnIndexes) {
            if (index < 0 || index >= schema.columns().size()) {
                throw new StorageException(
                        ErrorCode.INVALID_REQUEST,
                        "column position "
                                + index
                                + " was asked for; the table's schema has positions 0 to "
                                + (schema.columns().size() - 1));
            }
        }
    }
}

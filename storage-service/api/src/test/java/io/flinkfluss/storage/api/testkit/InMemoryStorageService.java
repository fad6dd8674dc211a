package io.flinkfluss.storage.api.testkit;

import io.flinkfluss.storage.api.KvReader;
import io.flinkfluss.storage.api.KvWriter;
import io.flinkfluss.storage.api.LakeProgress;
import io.flinkfluss.storage.api.LogAppender;
import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A storage service without disks, threads or network, for tests. One lock; every call is done when
 * it returns. Any thread may use it.
 */
public final class InMemoryStorageService
        implements StorageService, LogAppender, LogReader, KvWriter, KvReader, LakeProgress {
    private static final int LARGEST_BATCH = 8 << 20;

    private final Object lock = new Object();
    private final InMemoryTables tables;
    private final Map<BucketId, InMemoryBucket> buckets = new HashMap<>();
    private final Map<Long, Map<BucketId, NavigableMap<byte[], EncodedRow>>> snapshots =
            new HashMap<>();
    private final Map<TableId, LakeTiering> tierings = new HashMap<>();
    private final Clock clock;
    private long lastWriterId;
    private long lastSnapshotId;

    /** A service without a lake, on the system's clock. */
    public InMemoryStorageService() {
        this(Clock.systemUTC(), Map.of());
    }

    /**
     * @param lakeSettings as {@link TableAdmin#lakeSettings}
     */
    public InMemoryStorageService(Clock clock, Map<String, String> lakeSettings) {
        this.clock = clock;
        this.tables = new InMemoryTables(lock, clock, lakeSettings);
    }

    @Override
    public TableAdmin admin() {
        return tables;
    }

    @Override
    public LogAppender logAppender() {
        return this;
    }

    @Override
    public LogReader logReader() {
        return this;
    }

    @Override
    public KvWriter kvWriter() {
        return this;
    }

    @Override
    public KvReader kvReader() {
        return this;
    }

    @Override
    public LakeProgress lakeProgress() {
        return this;
    }

    @Override
    public void close() {}

    private InMemoryBucket bucket(BucketId id) {
        tables.checkBucket(id);
        return buckets.computeIfAbsent(
                id, key -> new InMemoryBucket(key, tables.table(key.table())));
    }

    private InMemoryBucket keyedBucket(BucketId id) {
        InMemoryBucket bucket = bucket(id);
        bucket.requirePrimaryKey(true);
        return bucket;
    }

    private <T> CompletableFuture<T> answer(Supplier<T> work) {
        synchronized (lock) {
            try {
                return CompletableFuture.completedFuture(work.get());
            } catch (StorageException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }

    private CompletableFuture<AppendResult> write(BucketId id, Supplier<AppendResult> work) {
        CompletableFuture<AppendResult> answer = answer(work);
        List<Runnable> listeners;
        synchronized (lock) {
            InMemoryBucket bucket = buckets.get(id);
            listeners = bucket == null ? List.of() : bucket.listeners();
            lock.notifyAll();
        }
        listeners.forEach(Runnable::run);
        return answer;
    }

    @Override
    public long newWriterId() {
        synchronized (lock) {
            return lastWriterId++;
        }
    }

    @Override
    public int largestBatch() {
        return LARGEST_BATCH;
    }

    private static void checkSize(int bytes) {
        if (bytes > LARGEST_BATCH) {
            throw new StorageException(
                    ErrorCode.RECORD_TOO_LARGE,
                    "a batch of " + bytes + " bytes; at most " + LARGEST_BATCH + " are allowed");
        }
    }

    @Override
    public CompletableFuture<AppendResult> append(
            BucketId id, WriterStamp stamp, ArrowBatch batch) {
        return write(
                id,
                () -> {
                    checkSize(batch.sizeInBytes());
                    return bucket(id).append(clock.millis(), stamp, batch);
                });
    }

    @Override
    public CompletableFuture<AppendResult> put(BucketId id, WriterStamp stamp, KvBatch batch) {
        return write(
                id,
                () -> {
                    checkSize(batch.entries().remaining());
                    return keyedBucket(id).put(clock.millis(), stamp, batch);
                });
    }

    @Override
    public Batches<LogBatch> scan(ScanRequest request) {
        synchronized (lock) {
            return new InMemoryBatches<>(lock, bucket(request.bucket()).scan(request));
        }
    }

    @Override
    public Map<BucketId, Long> offsets(List<BucketId> ids, OffsetSpec spec) {
        synchronized (lock) {
            Map<BucketId, Long> offsets = new TreeMap<>();
            ids.forEach(id -> offsets.put(id, bucket(id).offset(spec)));
            return offsets;
        }
    }

    @Override
    public CompletableFuture<List<Optional<EncodedRow>>> lookup(BucketId id, List<byte[]> keys) {
        return answer(
                () -> {
                    InMemoryBucket bucket = keyedBucket(id);
                    List<Optional<EncodedRow>> rows = new ArrayList<>();
                    keys.forEach(key -> rows.add(Optional.ofNullable(bucket.rows().get(key))));
                    return rows;
                });
    }

    @Override
    public CompletableFuture<List<EncodedRow>> prefixLookup(BucketId id, byte[] prefix) {
        return answer(() -> keyedBucket(id).rowsWithPrefix(prefix));
    }

    @Override
    public KvSnapshot snapshot(TableId table) {
        synchronized (lock) {
            Map<BucketId, NavigableMap<byte[], EncodedRow>> frozen = new HashMap<>();
            Map<BucketId, Long> offsets = new HashMap<>();
            Map<BucketId, Long> counts = new HashMap<>();
            for (BucketId id : tables.table(table).buckets()) {
                InMemoryBucket bucket = keyedBucket(id);
                frozen.put(id, new TreeMap<>(bucket.rows()));
                offsets.put(id, bucket.end());
                counts.put(id, (long) bucket.rows().size());
            }
            snapshots.put(++lastSnapshotId, frozen);
            return new KvSnapshot(table, lastSnapshotId, offsets, counts);
        }
    }

    @Override
    public Batches<RowBatch> scan(KvScanRequest request) {
        synchronized (lock) {
            InMemoryBucket bucket = keyedBucket(request.bucket());
            Map<BucketId, NavigableMap<byte[], EncodedRow>> snapshot =
                    snapshots.get(request.snapshotId());
            if (snapshot == null || !snapshot.containsKey(request.bucket())) {
                throw new StorageException(
                        ErrorCode.SNAPSHOT_NOT_FOUND,
                        "snapshot "
                                + request.snapshotId()
                                + " is not there any more; make a new one");
            }
            return new InMemoryBatches<>(
                    lock, bucket.scan(request, snapshot.get(request.bucket())));
        }
    }

    @Override
    public void release(KvSnapshot snapshot) {
        synchronized (lock) {
            snapshots.remove(snapshot.snapshotId());
        }
    }

    @Override
    public Optional<LakeTiering> latest(TableId table) {
        synchronized (lock) {
            return Optional.ofNullable(tierings.get(table));
        }
    }

    @Override
    public void register(LakeTiering tiering) {
        synchronized (lock) {
            tables.table(tiering.table());
            LakeTiering known = tierings.get(tiering.table());
            if (known != null && known.round() > tiering.round()) {
                throw new StorageException(
                        ErrorCode.STALE_LAKE_PROGRESS,
                        "round "
                                + tiering.round()
                                + " of table "
                                + tiering.table()
                                + " comes after round "
                                + known.round()
                                + " was registered; read the newest lake snapshot and go on there");
            }
            tierings.put(tiering.table(), tiering);
        }
    }
}

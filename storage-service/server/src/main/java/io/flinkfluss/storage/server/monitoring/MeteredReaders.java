package io.flinkfluss.storage.server.monitoring;

import io.flinkfluss.storage.api.KvReader;
import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.monitoring.RequestMeters.RequestKind;
import io.flinkfluss.storage.server.monitoring.TrafficMeters.TableMeter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Counts and times reads. */
final class MeteredReaders implements LogReader, KvReader {
    private final LogReader logs;
    private final KvReader kv;
    private final RequestMeters requests;
    private final TrafficMeters traffic;
    private final AtomicLong openReaders = new AtomicLong();

    MeteredReaders(LogReader logs, KvReader kv, RequestMeters requests, TrafficMeters traffic) {
        this.logs = logs;
        this.kv = kv;
        this.requests = requests;
        this.traffic = traffic;
    }

    long openReaders() {
        return openReaders.get();
    }

    @Override
    public Batches<LogBatch> scan(ScanRequest request) {
        TableMeter table = traffic.of(request.bucket().table());
        table.count(ServerMetric.TABLE_FETCH_LOG, 1);
        return opened(
                RequestKind.FETCH_LOG,
                () -> logs.scan(request),
                batch -> table.out(batch.rowCount(), batch.sizeInBytes()),
                () -> table.count(ServerMetric.TABLE_FETCH_LOG_FAILED, 1));
    }

    @Override
    public Batches<RowBatch> scan(KvScanRequest request) {
        TableMeter table = traffic.of(request.bucket().table());
        return opened(
                RequestKind.SCAN_KV,
                () -> kv.scan(request),
                batch ->
                        table.out(
                                batch.rowCount(),
                                batch.metadata().remaining() + batch.body().remaining()),
                () -> {});
    }

    @Override
    public Map<BucketId, Long> offsets(List<BucketId> buckets, OffsetSpec spec) {
        return timed(RequestKind.OFFSETS, () -> logs.offsets(buckets, spec));
    }

    @Override
    public CompletableFuture<List<Optional<EncodedRow>>> lookup(
            BucketId bucket, List<byte[]> keys) {
        TableMeter table = traffic.of(bucket.table());
        table.count(ServerMetric.TABLE_LOOKUP, 1);
        table.count(ServerMetric.TABLE_LOOKUP_KEYS, keys.size());
        long begun = requests.begun(RequestKind.LOOKUP);
        return kv.lookup(bucket, keys)
                .whenComplete(
                        (rows, failure) -> {
                            requests.ended(RequestKind.LOOKUP, begun);
                            if (failure != null) {
                                requests.failed(RequestKind.LOOKUP, failure);
                                table.count(ServerMetric.TABLE_LOOKUP_FAILED, 1);
                            } else {
                                found(
                                        table,
                                        rows,
                                        row -> row.map(MeteredReaders::bytes).orElse(-1L));
                            }
                        });
    }

    @Override
    public CompletableFuture<List<EncodedRow>> prefixLookup(BucketId bucket, byte[] prefix) {
        TableMeter table = traffic.of(bucket.table());
        table.count(ServerMetric.TABLE_PREFIX_LOOKUP, 1);
        table.count(ServerMetric.TABLE_LOOKUP_KEYS, 1);
        long begun = requests.begun(RequestKind.PREFIX_LOOKUP);
        return kv.prefixLookup(bucket, prefix)
                .whenComplete(
                        (rows, failure) -> {
                            requests.ended(RequestKind.PREFIX_LOOKUP, begun);
                            if (failure != null) {
                                requests.failed(RequestKind.PREFIX_LOOKUP, failure);
                                table.count(ServerMetric.TABLE_PREFIX_LOOKUP_FAILED, 1);
                            } else {
                                found(table, rows, MeteredReaders::bytes);
                            }
                        });
    }

    @Override
    public KvSnapshot snapshot(TableId table) {
        return timed(RequestKind.SNAPSHOT, () -> kv.snapshot(table));
    }

    @Override
    public void release(KvSnapshot snapshot) {
        kv.release(snapshot);
    }

    /**
     * @param size of a row, -1 when there is none
     */
    private static <R> void found(TableMeter table, List<R> rows, ToLongFunction<R> size) {
        long count = 0;
        long bytes = 0;
        for (R row : rows) {
            long one = size.applyAsLong(row);
            if (one >= 0) {
                count++;
                bytes += one;
            }
        }
        table.out(count, bytes);
    }

    private static long bytes(EncodedRow row) {
        return row.bytes().length;
    }

    private <T> T timed(RequestKind kind, Supplier<T> work) {
        long begun = requests.begun(kind);
        try {
            return work.get();
        } catch (RuntimeException failure) {
            requests.failed(kind, failure);
            throw failure;
        } finally {
            requests.ended(kind, begun);
        }
    }

    private <B> Batches<B> opened(
            RequestKind kind,
            Supplier<Batches<B>> open,
            MeteredBatches.Counted<B> counted,
            Runnable failed) {
        MeteredBatches.Failed onFailure =
                failure -> {
                    requests.failed(kind, failure);
                    failed.run();
                };
        long unused = requests.begun(kind);
        Batches<B> batches;
        try {
            batches = open.get();
        } catch (RuntimeException failure) {
            onFailure.failed(failure);
            throw failure;
        }
        openReaders.incrementAndGet();
        return new MeteredBatches<>(batches, counted, onFailure, openReaders::decrementAndGet);
    }
}

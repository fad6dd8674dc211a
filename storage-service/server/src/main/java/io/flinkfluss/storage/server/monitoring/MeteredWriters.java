package io.flinkfluss.storage.server.monitoring;

import io.flinkfluss.storage.api.KvWriter;
import io.flinkfluss.storage.api.LogAppender;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.KvBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.server.monitoring.RequestMeters.RequestKind;
import io.flinkfluss.storage.server.monitoring.TrafficMeters.TableMeter;
import java.util.concurrent.CompletableFuture;

/** Counts and times writes. A duplicate is a request, but its rows are not counted again. */
final class MeteredWriters implements LogAppender, KvWriter {
    private final LogAppender appender;
    private final KvWriter kvWriter;
    private final RequestMeters requests;
    private final TrafficMeters traffic;

    MeteredWriters(
            LogAppender appender,
            KvWriter kvWriter,
            RequestMeters requests,
            TrafficMeters traffic) {
        this.appender = appender;
        this.kvWriter = kvWriter;
        this.requests = requests;
        this.traffic = traffic;
    }

    @Override
    public long newWriterId() {
        return appender.newWriterId();
    }

    @Override
    public int largestBatch() {
        return appender.largestBatch();
    }

    @Override
    public CompletableFuture<AppendResult> append(
            BucketId bucket, WriterStamp stamp, ArrowBatch batch) {
        TableMeter table = traffic.of(bucket.table());
        table.count(ServerMetric.TABLE_PRODUCE_LOG, 1);
        long begun = requests.begun(RequestKind.PRODUCE_LOG);
        return appender.append(bucket, stamp, batch)
                .whenComplete(
                        (result, failure) -> {
                            requests.ended(RequestKind.PRODUCE_LOG, begun);
                            if (failure != null) {
                                requests.failed(RequestKind.PRODUCE_LOG, failure);
                                table.count(ServerMetric.TABLE_PRODUCE_LOG_FAILED, 1);
                            } else if (!result.duplicate()) {
                                table.in(batch.rowCount(), batch.sizeInBytes());
                            }
                        });
    }

    @Override
    public CompletableFuture<AppendResult> put(BucketId bucket, WriterStamp stamp, KvBatch batch) {
        TableMeter table = traffic.of(bucket.table());
        table.count(ServerMetric.TABLE_PUT_KV, 1);
        long bytes = batch.entries().remaining();
        long begun = requests.begun(RequestKind.PUT_KV);
        return kvWriter.put(bucket, stamp, batch)
                .whenComplete(
                        (result, failure) -> {
                            requests.ended(RequestKind.PUT_KV, begun);
                            if (failure != null) {
                                requests.failed(RequestKind.PUT_KV, failure);
                                table.count(ServerMetric.TABLE_PUT_KV_FAILED, 1);
                            } else if (!result.duplicate()) {
                                table.in(batch.count(), bytes);
                            }
                        });
    }
}

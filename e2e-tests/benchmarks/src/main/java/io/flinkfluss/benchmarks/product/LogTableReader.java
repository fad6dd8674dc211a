package io.flinkfluss.benchmarks.product;

import io.flinkfluss.benchmarks.driver.RowReader;
import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.wire.ArrowBatchReader;
import io.flinkfluss.storage.client.FlussClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Reads all buckets of a log from their beginning; the service pushes, so one thread waits for all.
 */
final class LogTableReader implements RowReader {
    private final List<Batches<LogBatch>> buckets = new ArrayList<>();
    private final Semaphore available = new Semaphore(0);
    private final ArrowBatchReader decoder;
    private final ReadRow view;
    private long passedOver;

    LogTableReader(FlussClient client, TableInfo table, Columns columns, LogFilter filter) {
        int[] indexes = OrderTables.indexes(columns);
        decoder = new ArrowBatchReader(table.schema(), indexes, client.allocator());
        view = new ReadRow(columns);
        for (BucketId bucket : table.buckets()) {
            Batches<LogBatch> batches =
                    client.logReader()
                            .scan(
                                    new ScanRequest(bucket, 0, ScanRequest.UNBOUNDED, indexes)
                                            .matching(filter));
            batches.onAvailable(available::release);
            buckets.add(batches);
        }
    }

    @Override
    public void poll(Duration patience, Sink sink) throws InterruptedException {
        if (pollAll(sink) || !available.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            return;
        }
        available.drainPermits();
        pollAll(sink);
    }

    private boolean pollAll(Sink sink) {
        boolean any = false;
        for (Batches<LogBatch> bucket : buckets) {
            Optional<LogBatch> batch = bucket.poll();
            if (batch.isPresent()) {
                any = true;
                give(batch.get(), sink);
            }
        }
        return any;
    }

    private void give(LogBatch batch, Sink sink) {
        passedOver += batch.leftOut();
        if (batch.rowCount() == 0) {
            return;
        }
        decoder.read(batch.metadata(), batch.body());
        for (int i = 0; i < batch.rowCount(); i++) {
            sink.accept(view.of(decoder.rows().setRow(i)));
        }
    }

    @Override
    public long passedOver() {
        return passedOver;
    }

    @Override
    public void close() {
        buckets.forEach(Batches::close);
        decoder.close();
    }
}

package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import java.time.Duration;
import java.util.Optional;

/** Follows one bucket from its beginning. */
final class TailReader implements Loop {
    private static final Duration PATIENCE = Duration.ofMillis(200);
    private static final long AFTER_FAILURE = 200;

    private final TestTable table;
    private final BucketId bucket;
    private final ReadFrom readFrom;
    private final LoadContext context;
    private final LogDecoder decoder;
    private final String name;
    private Batches<LogBatch> batches;

    TailReader(TestTable table, BucketId bucket, ReadFrom readFrom, LoadContext context) {
        this.table = table;
        this.bucket = bucket;
        this.readFrom = readFrom;
        this.context = context;
        name = "the tail reader of " + readFrom;
        decoder =
                new LogDecoder(table, table.history(bucket), context.client().allocator(), name, 0);
    }

    @Override
    public long step() throws InterruptedException {
        try {
            if (batches == null) {
                batches =
                        context.client()
                                .logReader()
                                .scan(
                                        new ScanRequest(
                                                        bucket,
                                                        decoder.position(),
                                                        ScanRequest.UNBOUNDED,
                                                        null)
                                                .from(readFrom));
            }
            Optional<LogBatch> batch = batches.poll(PATIENCE);
            batch.ifPresent(decoder::accept);
            return 0;
        } catch (RuntimeException e) {
            context.errors().add(name + " of " + table.history(bucket).name(), e);
            endScan();
            return AFTER_FAILURE;
        }
    }

    private void endScan() {
        if (batches != null) {
            batches.close();
            batches = null;
        }
    }

    @Override
    public void close() {
        endScan();
        decoder.close();
    }
}

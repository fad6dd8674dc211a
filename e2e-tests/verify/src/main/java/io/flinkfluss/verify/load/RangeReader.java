package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.verify.check.Violation;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Reads ranges of logs again that were read before, and what is at the end right now. */
final class RangeReader implements Loop {
    private static final int MOST_ROWS = 2_000;
    private static final int MOST_PAUSE = 300;
    private static final long AFTER_FAILURE = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(180);

    private final List<TestTable> tables;
    private final LoadContext context;
    private final String name;
    private final Random random;

    RangeReader(List<TestTable> tables, LoadContext context, String name, long seed) {
        this.tables = tables;
        this.context = context;
        this.name = name;
        random = new Random(seed);
    }

    @Override
    public long step() throws InterruptedException {
        TestTable table = tables.get(random.nextInt(tables.size()));
        BucketId bucket = table.buckets().get(random.nextInt(table.buckets().size()));
        try {
            long end =
                    context.client()
                            .logReader()
                            .offsets(List.of(bucket), new OffsetSpec.Latest())
                            .get(bucket);
            if (end > 0) {
                // Half of the reads are of the newest rows, which a wrong leader would invent.
                long start =
                        random.nextBoolean()
                                ? Math.max(0, end - 1 - random.nextInt(100))
                                : (long) (random.nextDouble() * end);
                read(table, bucket, start, Math.min(end, start + 1 + random.nextInt(MOST_ROWS)));
            }
            return random.nextInt(MOST_PAUSE);
        } catch (RuntimeException e) {
            context.errors().add(name, e);
            return AFTER_FAILURE;
        }
    }

    private void read(TestTable table, BucketId bucket, long start, long end)
            throws InterruptedException {
        ReadFrom readFrom = random.nextBoolean() ? ReadFrom.LEADER : ReadFrom.ANY;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try (LogDecoder decoder =
                        new LogDecoder(
                                table,
                                table.history(bucket),
                                context.client().allocator(),
                                name,
                                start);
                Batches<LogBatch> batches =
                        context.client()
                                .logReader()
                                .scan(new ScanRequest(bucket, start, end, null).from(readFrom))) {
            while (!batches.isFinished()) {
                batches.poll(Duration.ofMillis(200)).ifPresent(decoder::accept);
                if (System.nanoTime() - deadline > 0) {
                    context.findings()
                            .add(
                                    Violation.STALLED,
                                    name
                                            + " got no further than offset "
                                            + decoder.position()
                                            + " of "
                                            + table.history(bucket).name()
                                            + " within "
                                            + PATIENCE.toSeconds()
                                            + " s; it asked for "
                                            + start
                                            + " to "
                                            + end);
                    return;
                }
            }
            if (decoder.position() < end) {
                table.history(bucket).gap(decoder.position(), end, name);
            }
        }
    }

    @Override
    public void close() {}
}

package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.ArrowBatchReader;
import io.flinkfluss.verify.check.BucketHistory;
import io.flinkfluss.verify.check.Row;
import io.flinkfluss.verify.check.Violation;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Scans a frozen primary-key table: it has to be the fold of the changelog up to its offset. */
final class SnapshotReader implements Loop {
    private static final int LEAST_PAUSE = 4_000;
    private static final int MORE_PAUSE = 6_000;
    private static final long AFTER_FAILURE = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(180);

    private final List<TestTable> tables;
    private final LoadContext context;
    private final Random random;
    private int compared;

    SnapshotReader(List<TestTable> tables, LoadContext context, long seed) {
        this.tables = tables;
        this.context = context;
        random = new Random(seed);
    }

    @Override
    public long step() throws InterruptedException {
        TestTable table = tables.get(random.nextInt(tables.size()));
        try {
            KvSnapshot snapshot = context.client().kvReader().snapshot(table.info().id());
            for (BucketId bucket : table.buckets()) {
                compare(table, bucket, snapshot);
            }
            context.client().kvReader().release(snapshot);
            return LEAST_PAUSE + random.nextInt(MORE_PAUSE);
        } catch (RuntimeException e) {
            context.errors().add("the snapshot reader", e);
            return AFTER_FAILURE;
        }
    }

    /** How many buckets were compared. */
    int compared() {
        return compared;
    }

    private void compare(TestTable table, BucketId bucket, KvSnapshot snapshot)
            throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        Map<Integer, Long> found = scan(table, bucket, snapshot, deadline);
        BucketHistory history = table.history(bucket);
        long offset = snapshot.logOffsets().get(bucket);
        while (history.checkedEnd() < offset) {
            if (System.nanoTime() - deadline > 0) {
                context.findings()
                        .add(
                                Violation.STALLED,
                                history.name()
                                        + ": a snapshot is at offset "
                                        + offset
                                        + ", but readers got to "
                                        + history.checkedEnd()
                                        + " only");
                return;
            }
            Thread.sleep(10);
        }
        StateComparison.compare(
                        history.name() + " snapshot at offset " + offset,
                        found,
                        history.stateAt(offset))
                .ifPresent(text -> context.findings().add(Violation.STATE, text));
        compared++;
    }

    private Map<Integer, Long> scan(
            TestTable table, BucketId bucket, KvSnapshot snapshot, long deadline)
            throws InterruptedException {
        Map<Integer, Long> found = new HashMap<>();
        try (ArrowBatchReader reader =
                        new ArrowBatchReader(
                                table.info().schema(), null, context.client().allocator());
                Batches<RowBatch> batches =
                        context.client()
                                .kvReader()
                                .scan(
                                        new KvScanRequest(
                                                bucket,
                                                snapshot.snapshotId(),
                                                new byte[0],
                                                null))) {
            while (!batches.isFinished()) {
                Optional<RowBatch> batch = batches.poll(Duration.ofMillis(200));
                if (batch.isPresent()) {
                    add(table, bucket, reader, batch.get(), found);
                } else if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(
                            "a snapshot scan of "
                                    + table.history(bucket).name()
                                    + " did not end within "
                                    + PATIENCE.toSeconds()
                                    + " s");
                }
            }
        }
        return found;
    }

    private static void add(
            TestTable table,
            BucketId bucket,
            ArrowBatchReader reader,
            RowBatch batch,
            Map<Integer, Long> found) {
        reader.read(batch.metadata(), batch.body());
        for (int i = 0; i < batch.rowCount(); i++) {
            Optional<Row> row = RowForm.read(reader.rows().setRow(i), true, ChangeKind.INSERT);
            if (row.isEmpty()) {
                table.history(bucket).damaged(-1, "a row that nobody wrote", "a snapshot scan");
            } else if (found.put(row.get().key(), row.get().value()) != null) {
                table.history(bucket)
                        .damaged(-1, "key " + row.get().key() + " twice", "a snapshot scan");
            }
        }
    }

    @Override
    public void close() {}
}

package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.ArrowBatchWriter;
import io.flinkfluss.storage.api.wire.CompressionSettings;
import io.flinkfluss.verify.check.Row;
import io.flinkfluss.verify.check.WriterHistory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Appends batches to one bucket, a few on their way at once, and checks the offsets it is told. */
final class BatchWriter implements Loop {
    private static final int MOST_ROWS = 12;
    private static final int MOST_IN_FLIGHT = 3;
    private static final int PAUSE = 60;
    private static final long AFTER_FAILURE = 300;
    private static final long PATIENCE_SECONDS = 180;

    private final TestTable table;
    private final BucketId bucket;
    private final LoadContext context;
    private final Random random;
    private final String name;
    private final ArrowBatchWriter encoder;
    private final Deque<Sent> inFlight = new ArrayDeque<>();
    private WriterHistory history;
    private long writerId;
    private int nextBatch;

    /** A batch on its way. */
    private record Sent(int firstSequence, int rows, CompletableFuture<AppendResult> answer) {}

    BatchWriter(TestTable table, BucketId bucket, LoadContext context, long seed) {
        this.table = table;
        this.bucket = bucket;
        this.context = context;
        random = new Random(seed);
        name = "batches to " + table.history(bucket).name();
        encoder =
                new ArrowBatchWriter(
                        table.info().schema(),
                        context.client().allocator(),
                        CompressionSettings.of(table.info().descriptor()));
    }

    @Override
    public long step() throws InterruptedException {
        try {
            if (history == null) {
                writerId = context.client().logAppender().newWriterId();
                nextBatch = 0;
                history = context.writers().register(name);
            }
            send();
            while (inFlight.size() >= MOST_IN_FLIGHT
                    || (!inFlight.isEmpty() && inFlight.peek().answer.isDone())) {
                await(inFlight.poll());
            }
            return random.nextInt(2 * PAUSE);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            context.errors().add(name, e);
            giveUp();
            return AFTER_FAILURE;
        }
    }

    private void send() {
        int rows = 1 + random.nextInt(MOST_ROWS);
        int first = -1;
        for (int i = 0; i < rows; i++) {
            int sequence = history.send();
            first = first < 0 ? sequence : first;
            encoder.write(RowForm.log(history.id(), sequence));
        }
        ArrowBatch batch = encoder.finish();
        inFlight.add(
                new Sent(
                        first,
                        rows,
                        context.client()
                                .logAppender()
                                .append(bucket, new WriterStamp(writerId, nextBatch++), batch)));
    }

    private void await(Sent sent)
            throws InterruptedException, ExecutionException, TimeoutException {
        AppendResult result = sent.answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        context.acknowledgements().acknowledged(bucket, sent.rows);
        for (int i = 0; i < sent.rows; i++) {
            int sequence = sent.firstSequence + i;
            history.acknowledge(sequence);
            if (result.baseOffset() >= 0) {
                table.history(bucket)
                        .promised(
                                result.baseOffset() + i,
                                new Row(ChangeKind.INSERT, 0, history.id(), sequence).packed());
            }
        }
    }

    /**
     * After a failure nobody knows which batches are stored: the next ones are another writer's.
     */
    private void giveUp() throws InterruptedException {
        while (!inFlight.isEmpty()) {
            try {
                await(inFlight.poll());
            } catch (ExecutionException | TimeoutException e) {
                context.errors().add(name, e);
            }
        }
        history = null;
    }

    @Override
    public void close() {
        try {
            giveUp();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        encoder.close();
    }
}

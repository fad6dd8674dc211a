package io.flinkfluss.storage.client.write;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.AppendResult;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.client.transport.NodeChannels;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import javax.annotation.concurrent.GuardedBy;

/**
 * Rows of one bucket on their way into batches. While nothing is on its way a row leaves at once;
 * while something is, rows gather, and leave when it is acknowledged or when they fill a batch. No
 * timer is involved: under load batches are large, without load nothing waits.
 *
 * <p>One thread adds rows; encoding and sending happens on that thread when the bucket is idle, on
 * a sender thread otherwise, never on two at once, which keeps the sequence.
 */
final class BucketBatcher {
    /** What the batchers of one writer share. */
    interface Context {
        EncoderPool encoders();

        MemoryBudget budget();

        PutDispatcher dispatcher();

        /** Runs encoding in the background. */
        void execute(Runnable task) throws RejectedExecutionException;

        /** Asks the service for a writer id; blocks. */
        long newWriterId();

        WriterSettings settings();

        /** How large the rows of a batch may be, before compression. */
        long largestBatch();

        void sent(long bytes);

        void failed(StorageException error);

        /** A bucket may have become idle. */
        void settled();
    }

    enum Change {
        UPSERT,
        DELETE
    }

    private static final long RESERVATION = 64 << 10;

    /** A batch that rows are added to, or that is full. */
    private static final class Batch {
        final BatchEncoder encoder;
        long reserved;

        Batch(BatchEncoder encoder) {
            this.encoder = encoder;
        }
    }

    private final Object lock = new Object();
    private final BucketId bucket;
    private final Context context;
    private long writerId;
    private int nextSequence;
    private long lastSentNanos;

    @GuardedBy("lock")
    private Batch open;

    @GuardedBy("lock")
    private final Deque<Batch> full = new ArrayDeque<>();

    @GuardedBy("lock")
    private int inFlight;

    /** Whether some thread encodes, or was asked to. */
    @GuardedBy("lock")
    private boolean encoding;

    @GuardedBy("lock")
    private boolean closed;

    BucketBatcher(BucketId bucket, long writerId, Context context) {
        this.bucket = bucket;
        this.writerId = writerId;
        this.context = context;
    }

    /**
     * Adds a row; true when that filled a batch.
     *
     * @throws StorageException RECORD_TOO_LARGE and SCHEMA_MISMATCH, without the row and as if it
     *     had not been tried
     */
    boolean add(Change change, RowView row) {
        boolean filled = false;
        boolean here;
        boolean elsewhere;
        synchronized (lock) {
            if (open == null) {
                open = new Batch(context.encoders().take());
            }
            long size = write(change, row);
            if (size > context.largestBatch() && open.encoder.count() > 1) {
                open.encoder.removeLast();
                full.add(open);
                filled = true;
                open = new Batch(context.encoders().take());
                size = write(change, row);
            }
            if (size > context.largestBatch()) {
                open.encoder.removeLast();
                throw tooLarge(size);
            }
            if (size > open.reserved) {
                long more = (size - open.reserved + RESERVATION - 1) / RESERVATION * RESERVATION;
                open.reserved += more;
                context.budget().take(more);
            }
            if (size >= context.settings().batchBytes()) {
                full.add(open);
                open = null;
                filled = true;
            }
            here = !encoding && inFlight == 0 && full.isEmpty();
            elsewhere = !encoding && !here && hasBatchToSend();
            encoding |= here || elsewhere;
        }
        start(here, elsewhere);
        return filled;
    }

    /** The size of the open batch with the row. */
    @GuardedBy("lock")
    private long write(Change change, RowView row) {
        if (change == Change.UPSERT) {
            open.encoder.upsert(row);
        } else {
            open.encoder.delete(row);
        }
        return open.encoder.sizeInBytes();
    }

    private StorageException tooLarge(long size) {
        return new StorageException(
                ErrorCode.RECORD_TOO_LARGE,
                "a row of "
                        + size
                        + " bytes for bucket "
                        + bucket
                        + " is too large: a row may have "
                        + context.largestBatch()
                        + " bytes, so that it fits into a batch (batch.bytes-max of the server)."
                        + " It was not written; other rows may go on");
    }

    /** Lets what was added leave although the bucket is busy. */
    void flush() {
        boolean elsewhere;
        synchronized (lock) {
            if (open != null && open.encoder.count() > 0) {
                full.add(open);
                open = null;
            }
            elsewhere = !encoding && hasBatchToSend();
            encoding |= elsewhere;
        }
        start(false, elsewhere);
    }

    /** Whether every row was acknowledged. */
    boolean isIdle() {
        synchronized (lock) {
            return inFlight == 0
                    && !encoding
                    && full.isEmpty()
                    && (open == null || open.encoder.count() == 0);
        }
    }

    /** Gives back what rows that were not sent hold. */
    void close() {
        synchronized (lock) {
            closed = true;
            if (open != null) {
                full.add(open);
                open = null;
            }
            if (!encoding) {
                discard();
            }
        }
    }

    @GuardedBy("lock")
    private void discard() {
        for (Batch batch : full) {
            context.budget().give(batch.reserved);
            batch.encoder.close();
        }
        full.clear();
    }

    @GuardedBy("lock")
    private boolean hasBatchToSend() {
        return inFlight < context.settings().maxInFlightPerBucket()
                && (!full.isEmpty() || (inFlight == 0 && open != null && open.encoder.count() > 0));
    }

    private void start(boolean here, boolean elsewhere) {
        if (here) {
            encodeAll();
        } else if (elsewhere) {
            try {
                context.execute(this::encodeAll);
            } catch (RejectedExecutionException e) {
                synchronized (lock) {
                    encoding = false;
                }
                context.failed(NodeChannels.closed());
                context.settled();
            }
        }
    }

    /** Sends as many batches as may be on their way. */
    private void encodeAll() {
        for (Batch batch = next(); batch != null; batch = next()) {
            try {
                send(batch);
            } catch (RuntimeException | OutOfMemoryError e) {
                context.failed(
                        e instanceof StorageException known
                                ? known
                                : new StorageException(
                                        ErrorCode.INTERNAL,
                                        "a batch for bucket " + bucket + " cannot be encoded: " + e,
                                        e));
                settled(batch.reserved);
            }
        }
        context.settled();
    }

    private Batch next() {
        synchronized (lock) {
            if (closed) {
                encoding = false;
                discard();
                return null;
            }
            if (!hasBatchToSend()) {
                encoding = false;
                return null;
            }
            Batch batch = full.poll();
            if (batch == null) {
                batch = open;
                open = null;
            }
            inFlight++;
            return batch;
        }
    }

    private void send(Batch batch) {
        Payload payload = finish(batch.encoder);
        context.encoders().give(batch.encoder);
        int bytes = payload.sizeInBytes();
        context.budget().take(bytes);
        context.budget().give(batch.reserved);
        batch.reserved = bytes;
        context.sent(bytes);
        context.dispatcher()
                .put(
                        bucket,
                        nextStamp(),
                        payload,
                        new PutListener() {
                            @Override
                            public void onStored(AppendResult result) {
                                settled(bytes);
                            }

                            @Override
                            public void onFailed(StorageException error) {
                                context.failed(error);
                                settled(bytes);
                            }
                        });
    }

    private WriterStamp nextStamp() {
        long now = System.nanoTime();
        if (nextSequence > 0
                && now - lastSentNanos > context.settings().stampIdleTime().toNanos()
                && isAlone()) {
            // Everything before is acknowledged, so nothing can be stored twice.
            writerId = context.newWriterId();
            nextSequence = 0;
        }
        lastSentNanos = now;
        return new WriterStamp(writerId, nextSequence++);
    }

    /** Whether the batch that is being sent is the only one on its way. */
    private boolean isAlone() {
        synchronized (lock) {
            return inFlight == 1;
        }
    }

    private static Payload finish(BatchEncoder encoder) {
        try {
            return encoder.finish();
        } catch (RuntimeException | OutOfMemoryError e) {
            encoder.close();
            throw e;
        }
    }

    private void settled(long bytes) {
        context.budget().give(bytes);
        boolean elsewhere;
        synchronized (lock) {
            inFlight--;
            elsewhere = !encoding && hasBatchToSend();
            encoding |= elsewhere;
        }
        start(false, elsewhere);
        context.settled();
    }
}

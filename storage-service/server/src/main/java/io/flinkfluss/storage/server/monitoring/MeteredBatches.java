package io.flinkfluss.storage.server.monitoring;

import io.flinkfluss.storage.api.record.Batches;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** A read that counts what it gives, its failure and its end. */
final class MeteredBatches<B> implements Batches<B> {
    private final Batches<B> batches;
    private final Counted<B> counted;
    private final Failed failed;
    private final Runnable closed;
    private final AtomicBoolean open = new AtomicBoolean(true);

    MeteredBatches(Batches<B> batches, Counted<B> counted, Failed failed, Runnable closed) {
        this.batches = batches;
        this.counted = counted;
        this.failed = failed;
        this.closed = closed;
    }

    @Override
    public Optional<B> poll() {
        try {
            Optional<B> batch = batches.poll();
            batch.ifPresent(counted::count);
            return batch;
        } catch (RuntimeException failure) {
            failed.failed(failure);
            throw failure;
        }
    }

    @Override
    public Optional<B> poll(Duration timeout) throws InterruptedException {
        try {
            Optional<B> batch = batches.poll(timeout);
            batch.ifPresent(counted::count);
            return batch;
        } catch (RuntimeException failure) {
            failed.failed(failure);
            throw failure;
        }
    }

    @Override
    public boolean isFinished() {
        return batches.isFinished();
    }

    @Override
    public void onAvailable(Runnable listener) {
        batches.onAvailable(listener);
    }

    @Override
    public void close() {
        if (open.getAndSet(false)) {
            closed.run();
        }
        batches.close();
    }

    /** Told of each batch that was given. */
    interface Counted<B> {
        void count(B batch);
    }

    /** Told when the read breaks. */
    interface Failed {
        void failed(Throwable failure);
    }
}

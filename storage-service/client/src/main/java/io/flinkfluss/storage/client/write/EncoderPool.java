package io.flinkfluss.storage.client.write;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import javax.annotation.concurrent.GuardedBy;

/**
 * The encoders of one table writer, used again and again because their memory is costly to touch
 * for the first time. Only buckets with rows hold one. Any thread may use it.
 */
final class EncoderPool implements AutoCloseable {
    private static final int MOST_SPARE = 8;

    private final Object lock = new Object();
    private final Supplier<BatchEncoder> factory;

    @GuardedBy("lock")
    private final Deque<BatchEncoder> spare = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean closed;

    EncoderPool(Supplier<BatchEncoder> factory) {
        this.factory = factory;
    }

    BatchEncoder take() {
        synchronized (lock) {
            BatchEncoder encoder = spare.pollLast();
            if (encoder != null) {
                return encoder;
            }
        }
        return factory.get();
    }

    /** Takes back an encoder without rows. */
    void give(BatchEncoder encoder) {
        synchronized (lock) {
            if (!closed && spare.size() < MOST_SPARE) {
                spare.addLast(encoder);
                return;
            }
        }
        encoder.close();
    }

    @Override
    public void close() {
        List<BatchEncoder> closing;
        synchronized (lock) {
            closed = true;
            closing = new ArrayList<>(spare);
            spare.clear();
        }
        closing.forEach(BatchEncoder::close);
    }
}

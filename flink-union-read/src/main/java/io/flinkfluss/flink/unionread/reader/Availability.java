package io.flinkfluss.flink.unionread.reader;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Tells the task that a poll may have something. The reader calls {@link #arm} before it looks, so
 * that news that comes while it looks is not lost. {@link #signal} may be called by any thread.
 */
final class Availability {
    private final AtomicReference<CompletableFuture<Void>> current =
            new AtomicReference<>(new CompletableFuture<>());

    void arm() {
        if (current.get().isDone()) {
            current.set(new CompletableFuture<>());
        }
    }

    void signal() {
        current.get().complete(null);
    }

    CompletableFuture<Void> future() {
        return current.get();
    }
}

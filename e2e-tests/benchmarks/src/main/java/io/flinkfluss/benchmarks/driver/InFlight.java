package io.flinkfluss.benchmarks.driver;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Lookups that are answered later, at most so many at once. For one thread. */
final class InFlight {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final int most;
    private final Semaphore free;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    InFlight(int most) {
        this.most = most;
        free = new Semaphore(most);
    }

    /**
     * Begins one as soon as there is room.
     *
     * @param answers takes what it gives, on any thread
     * @throws IllegalStateException when one that began before has failed
     */
    <T> void begin(Supplier<CompletableFuture<T>> lookup, Consumer<? super T> answers)
            throws InterruptedException {
        await(1);
        checkNoneFailed();
        lookup.get()
                .whenComplete(
                        (answer, error) -> {
                            if (error == null) {
                                answers.accept(answer);
                            } else {
                                failure.compareAndSet(null, error);
                            }
                            free.release();
                        })
                .exceptionally(error -> null);
    }

    /**
     * Returns when all are answered.
     *
     * @throws IllegalStateException when one has failed
     */
    void finish() throws InterruptedException {
        await(most);
        free.release(most);
        checkNoneFailed();
    }

    private void await(int count) throws InterruptedException {
        if (!free.tryAcquire(count, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    "lookups are not answered for " + PATIENCE.toSeconds() + " s");
        }
    }

    private void checkNoneFailed() {
        Throwable cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("a lookup failed: " + cause, cause);
        }
    }
}

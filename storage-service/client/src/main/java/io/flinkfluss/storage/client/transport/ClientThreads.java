package io.flinkfluss.storage.client.transport;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Every thread of one client besides its event loop; all are daemons. */
public final class ClientThreads implements AutoCloseable {
    private static final int CALLBACK_THREADS = 2;

    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(named("fluss-client-timer"));
    private final ExecutorService callbacks =
            Executors.newFixedThreadPool(CALLBACK_THREADS, named("fluss-client-callback"));
    private final ExecutorService senders =
            Executors.newFixedThreadPool(
                    Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
                    named("fluss-client-sender"));

    /** Retries and deadlines; its tasks are short. */
    public ScheduledExecutorService timer() {
        return timer;
    }

    /**
     * Where the futures that users hold complete, so that their code may block; after closing on
     * the thread that completes them.
     */
    public Executor callbacks() {
        return task -> {
            try {
                callbacks.execute(task);
            } catch (RejectedExecutionException e) {
                task.run();
            }
        };
    }

    /** Encodes and compresses batches. */
    public Executor senders() {
        return senders;
    }

    /** Lets queued tasks run, so that futures that were just failed still complete. */
    @Override
    public void close() {
        timer.shutdownNow();
        senders.shutdown();
        callbacks.shutdown();
    }

    static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}

package io.flinkfluss.storage.server.runtime;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs short tasks a little later, on one thread of its own. Any thread may use it. */
public final class DelayedTasks implements AutoCloseable {
    private final ScheduledExecutorService executor;

    public DelayedTasks(String threadName) {
        executor =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread thread = new Thread(task, threadName);
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** Runs the task once; not at all when this is closed before. */
    public void after(Duration delay, Runnable task) {
        try {
            var unused = executor.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // As said.
            return;
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}

package io.flinkfluss.cli.runtime;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One thread on which calls run one after another, each with a deadline: for things that must
 * always be used by the same thread, such as Flink's planner, and for calls that may block for
 * ever.
 */
public final class OwnThread {
    private final ExecutorService thread;

    public OwnThread(String name) {
        thread =
                Executors.newSingleThreadExecutor(
                        task -> {
                            Thread worker = new Thread(task, name);
                            worker.setDaemon(true);
                            return worker;
                        });
    }

    /**
     * @throws CliException when the call fails or does not return in time; then the thread is
     *     interrupted and takes no more calls
     */
    public <T> T call(String what, Duration timeout, Callable<T> call) {
        Future<T> future = thread.submit(call);
        try {
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            thread.shutdownNow();
            throw new CliException(what + " did not end within " + timeout.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof CliException failure) {
                throw failure;
            }
            throw new CliException(what + " failed: " + messages(cause), cause);
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
            throw new CliException("interrupted during " + what, e);
        }
    }

    /** The distinct messages of a failure and its causes, outermost first. */
    public static String messages(Throwable failure) {
        StringBuilder text = new StringBuilder();
        String last = null;
        for (Throwable t = failure; t != null; t = t.getCause()) {
            String message = t.getMessage() == null ? t.getClass().getName() : t.getMessage();
            if (last == null || !last.contains(message)) {
                text.append(text.isEmpty() ? "" : "\n  caused by: ").append(message);
            }
            last = message;
        }
        return text.toString();
    }
}

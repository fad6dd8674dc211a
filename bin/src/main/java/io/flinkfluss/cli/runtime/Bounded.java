package io.flinkfluss.cli.runtime;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs a call that may block for ever with a deadline. */
public final class Bounded {
    private Bounded() {}

    /**
     * @throws CliException when the call fails or does not return in time; then its thread is
     *     interrupted and left behind
     */
    public static <T> T call(String what, Duration timeout, Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task, what);
        thread.setDaemon(true);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread.start();
        try {
            return task.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            task.cancel(true);
            throw new CliException(what + " did not end within " + timeout.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof CliException failure) {
                throw failure;
            }
            throw new CliException(what + " failed: " + messages(cause), cause);
        } catch (InterruptedException e) {
            task.cancel(true);
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

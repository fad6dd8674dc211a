package io.flinkfluss.storage.server.log;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;

/**
 * Many small steps that wait for a disk, done by several threads together: a disk looks up several
 * files, or makes them durable, in hardly more time than one. One thread adds steps and runs them,
 * once.
 */
final class SharedWork {
    private static final int HELPERS = 3;

    private final List<FutureTask<Void>> steps = new ArrayList<>();

    /** Steps may be done in any order. */
    void add(Step step) {
        Callable<Void> task =
                () -> {
                    step.run();
                    return null;
                };
        steps.add(new FutureTask<>(task));
    }

    /**
     * Ends when every step has ended. The calling thread does them too, so that nothing waits for
     * helpers that are busy or refuse.
     *
     * @throws IOException of one of the steps that failed, as is what else they throw; the others
     *     were tried
     */
    void run(Executor helpers) throws IOException {
        Queue<FutureTask<Void>> left = new ConcurrentLinkedQueue<>(steps);
        for (int i = 0; i < HELPERS && steps.size() > 1; i++) {
            try {
                helpers.execute(() -> work(left));
            } catch (RuntimeException refused) {
                break;
            }
        }
        work(left);
        for (FutureTask<Void> step : steps) {
            await(step);
        }
    }

    private static void work(Queue<FutureTask<Void>> left) {
        for (FutureTask<Void> step = left.poll(); step != null; step = left.poll()) {
            step.run();
        }
    }

    private static void await(FutureTask<Void> step) throws IOException {
        try {
            step.get();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException failure) {
                throw failure;
            }
            if (failed.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    /** One of them. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }
}

package io.flinkfluss.storage.server.runtime;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every thread that the server itself makes: a few workers with a bounded queue for disk work, one
 * housekeeping thread, and named loops. May be used by any thread; close it once, last.
 */
public final class ServerThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerThreads.class);
    private static final int WORK_QUEUE_LENGTH = 65_536;
    private static final int REQUEST_THREADS = 8;
    private static final long JOIN_MILLIS = 10_000;

    private final ThreadPoolExecutor workers;
    private final ThreadPoolExecutor requests;
    private final ScheduledThreadPoolExecutor housekeeping;
    private final FaultHandler faults;
    private final List<Thread> loops = new ArrayList<>();

    /** Guarded by the loops. */
    private final List<ThreadPoolExecutor> pools = new ArrayList<>();

    /**
     * @param faults told when a loop dies, because nobody would do its work
     */
    public ServerThreads(int workerCount, FaultHandler faults) {
        this.faults = faults;
        workers = pool("fluss-worker", workerCount);
        requests = pool("fluss-request", REQUEST_THREADS);
        housekeeping =
                new ScheduledThreadPoolExecutor(1, task -> daemon("fluss-housekeeping", task));
        housekeeping.setRemoveOnCancelPolicy(true);
        housekeeping.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        housekeeping.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    }

    /**
     * Runs tasks that may read disks.
     *
     * @throws StorageException BUSY when too many tasks wait (from {@link Executor#execute})
     */
    public Executor workers() {
        return refusing(workers);
    }

    /** Like {@link #workers}, for tasks that wait for the answer of a group. */
    public Executor requests() {
        return refusing(requests);
    }

    /** More threads, for tasks that would keep others from the workers. */
    public Executor newPool(String name, int threads) {
        ThreadPoolExecutor pool = pool(name, threads);
        synchronized (loops) {
            pools.add(pool);
        }
        return refusing(pool);
    }

    /** Tasks that wait for a worker or a request thread. */
    public int waitingTasks() {
        return workers.getQueue().size() + requests.getQueue().size();
    }

    private static ThreadPoolExecutor pool(String name, int threads) {
        return new ThreadPoolExecutor(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WORK_QUEUE_LENGTH),
                task -> daemon(name, task));
    }

    private static Executor refusing(ThreadPoolExecutor pool) {
        return task -> {
            try {
                pool.execute(task);
            } catch (RejectedExecutionException full) {
                throw new StorageException(
                        ErrorCode.BUSY,
                        pool.isShutdown()
                                ? "the server is stopping; try again on the restarted server"
                                : WORK_QUEUE_LENGTH + " tasks wait already; try again later",
                        full);
            }
        };
    }

    /** Repeats a short task until the future is cancelled; a failing run is logged and repeated. */
    public ScheduledFuture<?> every(Duration pause, String what, Runnable task) {
        return housekeeping.scheduleWithFixedDelay(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException failure) {
                        LOG.warn("{} failed; it is tried again in {}", what, pause, failure);
                    }
                },
                pause.toMillis(),
                pause.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Starts a loop that ends when its thread is interrupted, which {@link #close} does. */
    public Thread loop(String name, Runnable body) {
        Thread thread = daemon(name, body);
        thread.setUncaughtExceptionHandler(
                (dead, cause) -> faults.fatal("thread " + name + " died", cause));
        synchronized (loops) {
            loops.add(thread);
        }
        thread.start();
        return thread;
    }

    /**
     * Ends the loops and waits for tasks that run or wait. Tasks are not interrupted: an
     * interrupted read closes its file for everybody.
     */
    @Override
    public void close() {
        housekeeping.shutdown();
        workers.shutdown();
        requests.shutdown();
        List<Thread> running;
        List<ThreadPoolExecutor> ending;
        synchronized (loops) {
            running = List.copyOf(loops);
            ending = List.copyOf(pools);
        }
        ending.forEach(ThreadPoolExecutor::shutdown);
        running.forEach(Thread::interrupt);
        try {
            for (Thread thread : running) {
                thread.join(JOIN_MILLIS);
            }
            boolean ended =
                    workers.awaitTermination(JOIN_MILLIS, TimeUnit.MILLISECONDS)
                            && requests.awaitTermination(JOIN_MILLIS, TimeUnit.MILLISECONDS)
                            && housekeeping.awaitTermination(JOIN_MILLIS, TimeUnit.MILLISECONDS);
            for (ThreadPoolExecutor pool : ending) {
                ended &= pool.awaitTermination(JOIN_MILLIS, TimeUnit.MILLISECONDS);
            }
            if (!ended) {
                LOG.warn("some tasks did not end within {} ms", JOIN_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        return thread;
    }
}

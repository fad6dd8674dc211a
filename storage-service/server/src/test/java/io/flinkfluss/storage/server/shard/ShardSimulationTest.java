package io.flinkfluss.storage.server.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.server.log.Folders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the simulation from many seeds: thousands in memory, and some with RocksDB on a real disk.
 * Every start uses other seeds unless {@code -Dseed=} names one to replay.
 */
class ShardSimulationTest {
    private static final int STEPS = 150;

    /** One seed from its beginning to its end. */
    private interface Run {
        void run(long seed) throws Exception;
    }

    @Test
    void promisesHoldForThousandsOfSeeds() throws Exception {
        runSeeds("in memory", 2_000, Duration.ofSeconds(20), ShardSimulationTest::runInMemory);
    }

    @Test
    void promisesHoldWithRocksDbOnARealDisk(@TempDir Path folder) throws Exception {
        runSeeds("with RocksDB", 10, Duration.ofSeconds(8), seed -> runOnDisk(seed, folder));
    }

    private static void runInMemory(long seed) throws Exception {
        try (ShardSimulation simulation =
                new ShardSimulation(seed, number -> new MemoryReplicaDisk())) {
            simulation.run(STEPS);
        }
    }

    private static void runOnDisk(long seed, Path folder) throws Exception {
        Path place = folder.resolve(Long.toString(seed));
        try (ShardSimulation simulation =
                new ShardSimulation(
                        seed,
                        number -> new RealReplicaDisk(place.resolve("replica-" + number)))) {
            simulation.run(STEPS);
        }
        Folders.deleteTree(place);
    }

    /** At least so many, and as many as fit into the time; each in one thread. */
    private static void runSeeds(String where, int least, Duration time, Run run)
            throws Exception {
        String given = System.getProperty("seed");
        if (given != null) {
            run(Long.parseLong(given), where, run);
            return;
        }
        long first = System.currentTimeMillis();
        long end = System.nanoTime() + time.toNanos();
        AtomicLong next = new AtomicLong(first);
        int threads = Runtime.getRuntime().availableProcessors();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(
                        executor.submit(
                                () -> {
                                    while (next.get() < first + least || System.nanoTime() < end) {
                                        run(next.getAndIncrement(), where, run);
                                    }
                                    return null;
                                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException broken) {
            throw new AssertionError(broken.getCause().getMessage(), broken.getCause());
        } finally {
            executor.shutdownNow();
        }
        long seeds = next.get() - first;
        System.out.println("simulated " + seeds + " seeds " + where + " from " + first);
        assertThat(seeds).isGreaterThanOrEqualTo(least);
    }

    private static void run(long seed, String where, Run run) {
        try {
            run.run(seed);
        } catch (Exception | AssertionError broken) {
            throw new AssertionError(
                    where + ", replay with -Dseed=" + seed + ": " + broken, broken);
        }
    }
}

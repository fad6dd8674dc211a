package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.server.log.Folders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the simulation from many seeds: thousands in memory, {@code -Dseeds=} says how many, and
 * some with RocksDB on a real disk. Every start uses other seeds unless {@code -Dseed=} names one
 * to replay.
 */
class ShardSimulationTest {
    private static final int STEPS = 150;
    private static final int SEEDS_IN_MEMORY = 2_000;
    private static final Duration TIME_ON_DISK = Duration.ofSeconds(8);
    private static final int LEAST_SEEDS_ON_DISK = 10;

    private final Long given = Long.getLong("seed");

    /** Each seed is simulated by one thread, several at once. */
    @Test
    void promisesHoldForThousandsOfSeeds() {
        long first = given != null ? given : System.currentTimeMillis();
        long seeds = given != null ? 1 : Integer.getInteger("seeds", SEEDS_IN_MEMORY);
        Optional<AssertionError> broken =
                LongStream.range(first, first + seeds)
                        .parallel()
                        .mapToObj(seed -> run(seed, number -> new MemoryReplicaDisk()))
                        .flatMap(Optional::stream)
                        .findAny();
        if (broken.isPresent()) {
            throw broken.get();
        }
        System.out.println("simulated " + seeds + " seeds in memory from " + first);
    }

    @Test
    void promisesHoldWithRocksDbOnARealDisk(@TempDir Path folder) throws Exception {
        long first = given != null ? given : System.currentTimeMillis();
        long end = System.nanoTime() + (given != null ? 0 : TIME_ON_DISK.toNanos());
        int least = given != null ? 1 : LEAST_SEEDS_ON_DISK;
        int seeds = 0;
        while (seeds < least || System.nanoTime() < end) {
            long seed = first + seeds++;
            Path place = folder.resolve(Long.toString(seed));
            Optional<AssertionError> broken =
                    run(seed, number -> new RealReplicaDisk(place.resolve("replica-" + number)));
            if (broken.isPresent()) {
                throw broken.get();
            }
            Folders.deleteTree(place);
        }
        System.out.println("simulated " + seeds + " seeds with RocksDB from " + first);
    }

    /** What is broken, empty when nothing is. */
    private static Optional<AssertionError> run(long seed, IntFunction<ReplicaDisk> disks) {
        try (ShardSimulation simulation = new ShardSimulation(seed, disks)) {
            simulation.run(STEPS);
            return Optional.empty();
        } catch (Exception | AssertionError broken) {
            return Optional.of(
                    new AssertionError("replay with -Dseed=" + seed + ": " + broken, broken));
        }
    }
}

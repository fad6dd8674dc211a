package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.server.log.Folders;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the simulation from as many seeds as fit into some seconds; every start uses other seeds
 * unless {@code -Dseed=} names one to replay.
 */
class ShardSimulationTest {
    private static final int STEPS = 150;
    private static final Duration TIME = Duration.ofSeconds(20);
    private static final int LEAST_SEEDS = 10;

    @TempDir Path folder;

    @Test
    void promisesHoldForEverySeed() throws Exception {
        String given = System.getProperty("seed");
        if (given != null) {
            run(Long.parseLong(given));
            return;
        }
        long end = System.nanoTime() + TIME.toNanos();
        long first = System.currentTimeMillis();
        int seeds = 0;
        while (seeds < LEAST_SEEDS || System.nanoTime() < end) {
            run(first + seeds++);
        }
        System.out.println("simulated " + seeds + " seeds from " + first);
    }

    private void run(long seed) throws Exception {
        Path place = folder.resolve(Long.toString(seed));
        try (ShardSimulation simulation = new ShardSimulation(seed, place)) {
            simulation.run(STEPS);
        } catch (Exception | AssertionError broken) {
            throw new AssertionError("replay with -Dseed=" + seed + ": " + broken, broken);
        }
        Folders.deleteTree(place);
    }
}

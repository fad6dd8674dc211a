package io.flinkfluss.e2e.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.Await;
import io.flinkfluss.e2e.cluster.StorageCluster;
import io.flinkfluss.e2e.cluster.StorageProcess;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes, each of which leads something, of which one at a time sleeps or dies while a
 * client writes, reads and looks up. Covers O-16, O-17 and O-60 of the field cases: no error of the
 * client, every row once and in order, no lookup that is stale.
 */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class FailoverITCase {
    /** On two busy cores; 2 s where there is room. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(7);

    @TempDir private Path folder;
    private StorageCluster cluster;
    private FlussClient client;

    @BeforeEach
    void start() {
        cluster = StorageCluster.start(folder, 3, "--shards", "3");
        client = FlussClient.connect(ClientConfig.of(cluster.addresses()));
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    @Test
    void aNodeThatSleepsEightSecondsIsNotNoticedByTheClient() throws Exception {
        try (FailoverWorkload load = new FailoverWorkload(client)) {
            load.start();
            load.awaitProgress();
            for (StorageProcess node : cluster.nodes()) {
                load.longestPause();
                node.pause();
                Await.pause(Duration.ofSeconds(8));
                load.throwTrouble();
                node.resume();
                load.awaitProgress();
                Duration pause = load.longestPause();
                System.out.println("slept: longest pause " + pause.toMillis() + " ms");
                assertThat(pause).as("without any acknowledgement").isLessThan(LONGEST_PAUSE);
            }
            load.stopAndCheck();
            assertThat(load.lookups()).isPositive();
        }
    }

    @Test
    void aNodeThatDiesAndComesBackIsNotNoticedByTheClient() throws Exception {
        try (FailoverWorkload load = new FailoverWorkload(client)) {
            load.start();
            load.awaitProgress();
            for (StorageProcess node : cluster.nodes()) {
                load.longestPause();
                node.kill();
                load.awaitProgress();
                node.start();
                load.awaitProgress();
                Duration pause = load.longestPause();
                System.out.println("killed: longest pause " + pause.toMillis() + " ms");
                assertThat(pause).as("without any acknowledgement").isLessThan(LONGEST_PAUSE);
            }
            load.stopAndCheck();
        }
    }
}

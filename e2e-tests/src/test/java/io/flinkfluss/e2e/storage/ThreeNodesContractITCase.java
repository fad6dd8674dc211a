package io.flinkfluss.e2e.storage;

import io.flinkfluss.e2e.cluster.StorageCluster;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.testkit.StorageServiceContract;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The whole contract, through the client, against three storage processes. */
final class ThreeNodesContractITCase extends StorageServiceContract {
    @TempDir private static Path folder;
    private static StorageCluster cluster;
    private static FlussClient client;

    @BeforeAll
    static void start() {
        cluster = StorageCluster.start(folder, 3);
        client = FlussClient.connect(ClientConfig.of(cluster.addresses()));
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @Override
    protected StorageService service() {
        return client;
    }
}

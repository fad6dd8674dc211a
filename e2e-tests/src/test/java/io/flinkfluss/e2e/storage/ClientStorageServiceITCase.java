package io.flinkfluss.e2e.storage;

import io.flinkfluss.e2e.cluster.StorageProcess;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.testkit.StorageServiceContract;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The whole contract, through the client, against the storage service in a process of its own. */
final class ClientStorageServiceITCase extends StorageServiceContract {
    @TempDir private static Path folder;
    private static StorageProcess process;
    private static FlussClient client;

    @BeforeAll
    static void start() {
        process = StorageProcess.start(folder.resolve("data"));
        client = FlussClient.connect(ClientConfig.of(process.address()));
    }

    @AfterAll
    static void stop() {
        client.close();
        process.close();
    }

    @Override
    protected StorageService service() {
        return client;
    }
}

package io.flinkfluss.storage.client;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.testkit.InMemoryStorageService;
import io.flinkfluss.storage.api.testkit.StorageServiceContract;
import io.flinkfluss.storage.client.transport.FakeNode;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The client keeps the whole contract when the in-memory service is on the other side. */
final class FlussClientContractTest extends StorageServiceContract {
    private static FakeNode node;
    private static FlussClient client;

    @BeforeAll
    static void connect() throws IOException {
        node = new FakeNode(new InMemoryStorageService());
        client = FlussClient.connect(ClientConfig.of(node.address()));
    }

    @AfterAll
    static void close() {
        client.close();
        node.close();
    }

    @Override
    protected StorageService service() {
        return client;
    }
}

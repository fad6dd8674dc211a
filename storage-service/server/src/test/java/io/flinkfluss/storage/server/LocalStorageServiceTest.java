package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.testkit.StorageServiceContract;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.runtime.ServerThreads;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a real node, called directly: real log, real replication, real disk. */
class LocalStorageServiceTest extends StorageServiceContract {
    @TempDir static Path folder;

    private static DataDirectory directory;
    private static ServerThreads threads;
    private static StorageNode node;

    @BeforeAll
    static void open() throws InterruptedException {
        ServerConfig config =
                ServerArguments.parse(
                        "--data-dir",
                        folder.resolve("data").toString(),
                        "--port",
                        "0",
                        "-Ddisk.write-limit-ratio=1.0");
        directory = DataDirectory.open(config.dataDir(), OptionalInt.of(2), 2);
        threads = new ServerThreads(4, LocalStorageServiceTest::fail);
        node =
                StorageNode.open(
                        config,
                        directory,
                        threads,
                        ServerClock.system(),
                        LocalStorageServiceTest::fail);
    }

    @AfterAll
    static void close() {
        node.close();
        threads.close();
        directory.close();
    }

    @Override
    protected StorageService service() {
        return node.service();
    }

    private static void fail(String what, Throwable cause) {
        throw new AssertionError(what, cause);
    }
}

package io.flinkfluss.storage.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.arrow.flight.FlightClient.ClientStreamListener;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.SyncPutListener;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that end in all the ways they can end. */
class StorageServerKillTest {
    private static final int ROWS = 10;

    @TempDir Path folder;

    @Test
    void nothingAcknowledgedIsLostWhenTheProcessIsKilled() throws Exception {
        long acknowledged = 0;
        for (int round = 0; round < 3; round++) {
            try (ServerProcess server = start();
                    StockFlight flight = new StockFlight(server.port())) {
                if (round == 0) {
                    flight.createTable("events");
                }
                List<Long> found = flight.ids("events");
                assertThat(found)
                        .as("round " + round)
                        .hasSizeGreaterThanOrEqualTo((int) acknowledged)
                        .isEqualTo(LongStream.range(0, found.size()).boxed().toList());
                acknowledged =
                        found.size() + ROWS * appendUntilKilled(flight, server, found.size());
            }
        }
        try (ServerProcess server = start();
                StockFlight flight = new StockFlight(server.port())) {
            List<Long> found = flight.ids("events");
            assertThat(found)
                    .hasSizeGreaterThanOrEqualTo((int) acknowledged)
                    .isEqualTo(LongStream.range(0, found.size()).boxed().toList());
            server.terminate();
            assertThat(server.exitCode()).isZero();
        }
    }

    @Test
    void badInputUsedPortsAndUsedFoldersEndTheProcessWithTheirCodes() throws Exception {
        try (ServerProcess server = start()) {
            assertExit(3, "--data-dir", data(), "--port", "0");
            assertExit(
                    4,
                    "--data-dir",
                    folder.resolve("other").toString(),
                    "--port",
                    Integer.toString(server.port()));
            assertExit(2, "--data-dir", data(), "--port", "0", "-Ddisk.write-limt-ratio=1");
        }
        assertThat(Files.readString(folder.resolve("errors")))
                .contains("is in use by another storage server")
                .contains("did you mean disk.write-limit-ratio?")
                .contains("choose another --port");
    }

    /** A server that is killed again and again would fill the disk with what it unpacked. */
    @Test
    void aKilledServerLeavesNoLibraryBehind() throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        try (ServerProcess server =
                        ServerProcess.start(
                                folder.resolve("errors"),
                                List.of("-Djava.io.tmpdir=" + temporary),
                                "--data-dir",
                                data(),
                                "--port",
                                "0");
                StockFlight flight = new StockFlight(server.port())) {
            flight.createTable("events");
            server.kill();
        }
        try (Stream<Path> left = Files.walk(temporary)) {
            assertThat(left.filter(Files::isRegularFile).map(Path::getFileName).map(Path::toString))
                    .noneMatch(name -> name.contains("rocksdb"));
        }
    }

    /** Returns how many batches were acknowledged. */
    private static int appendUntilKilled(StockFlight flight, ServerProcess server, long firstId)
            throws Exception {
        int acknowledged = 0;
        try (VectorSchemaRoot root = flight.newRoot();
                SyncPutListener answers = new SyncPutListener()) {
            ClientStreamListener put =
                    flight.client.startPut(
                            FlightDescriptor.path("fluss", "events", "0"), root, answers);
            for (int i = 0; i < 300; i++) {
                StockFlight.fill(root, firstId + (long) i * ROWS, ROWS);
                put.putNext();
            }
            while (acknowledged < 300) {
                try (PutResult answer = answers.poll(30, TimeUnit.SECONDS)) {
                    if (answer == null) {
                        break;
                    }
                    acknowledged++;
                }
                if (acknowledged == 50) {
                    server.kill();
                }
            }
        } catch (FlightRuntimeException | ExecutionException killed) {
            // The stream broke, as it must.
        }
        return acknowledged;
    }

    private void assertExit(int code, String... arguments) throws Exception {
        try (ServerProcess refused = ServerProcess.start(folder.resolve("errors"), arguments)) {
            assertThat(refused.exitCode()).isEqualTo(code);
            assertThat(refused.firstLine()).isNull();
        }
    }

    private ServerProcess start() throws Exception {
        ServerProcess server =
                ServerProcess.start(
                        folder.resolve("errors"),
                        "--data-dir",
                        data(),
                        "--port",
                        "0",
                        "--shards",
                        "1",
                        "-Ddisk.write-limit-ratio=1.0");
        assertThat(server.firstLine()).startsWith("ready on 127.0.0.1:");
        return server;
    }

    private String data() {
        return folder.resolve("data").toString();
    }
}

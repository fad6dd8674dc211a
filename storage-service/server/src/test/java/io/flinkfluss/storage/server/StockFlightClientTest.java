package io.flinkfluss.storage.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.flight.AsyncPutListener;
import org.apache.arrow.flight.FlightClient.ClientStreamListener;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StockFlightClientTest {
    @TempDir Path folder;

    private StorageServer server;
    private StockFlight flight;

    @BeforeEach
    void start() throws InterruptedException {
        server =
                StorageServer.start(
                        "--data-dir",
                        folder.toString(),
                        "--port",
                        "0",
                        "--shards",
                        "1",
                        "-Ddisk.write-limit-ratio=1.0");
        flight = new StockFlight(server.port());
    }

    @AfterEach
    void stop() throws InterruptedException {
        flight.close();
        server.close();
    }

    @Test
    void appendsAndReadsBack() throws Exception {
        flight.createTable("events");

        append("0", 0, 3);
        append("1", 100, 2);

        assertThat(flight.ids("events")).containsExactly(0L, 1L, 2L, 100L, 101L);
        var info = flight.client.getInfo(FlightDescriptor.path("fluss", "events"));
        assertThat(info.getRecords()).isEqualTo(5);
        assertThat(info.getSchema().getFields())
                .extracting(field -> field.getName())
                .isEqualTo(List.of("id", "name"));
    }

    @Test
    void aMissingTableIsNamed() {
        assertThatThrownBy(() -> flight.client.getInfo(FlightDescriptor.path("fluss", "absent")))
                .isInstanceOf(FlightRuntimeException.class)
                .hasMessageContaining("fluss.absent")
                .hasMessageContaining("does not exist");
    }

    @Test
    void aBucketThatTheTableDoesNotHaveIsRefused() {
        flight.createTable("events");

        assertThatThrownBy(() -> append("7", 0, 1))
                .isInstanceOf(FlightRuntimeException.class)
                .hasMessageContaining("buckets 0 to 1");
    }

    private void append(String bucket, long firstId, int rows) {
        try (VectorSchemaRoot root = flight.newRoot()) {
            StockFlight.fill(root, firstId, rows);
            ClientStreamListener put =
                    flight.client.startPut(
                            FlightDescriptor.path("fluss", "events", bucket),
                            root,
                            new AsyncPutListener());
            put.putNext();
            put.completed();
            put.getResult();
        }
    }
}

package io.flinkfluss.storage.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.wire.CatalogOperation;
import io.flinkfluss.storage.api.wire.NodeStatus;
import io.flinkfluss.storage.server.monitoring.ServerMetric;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flight.Action;
import org.apache.arrow.flight.AsyncPutListener;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running server seen from outside. */
final class MonitoringTest {
    private final HttpClient http = HttpClient.newHttpClient();
    @TempDir private Path folder;
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
                        "2",
                        "-Ddisk.write-limit-ratio=1.0",
                        "-Dmetrics.tables-max=2",
                        "-Ddatalake.format=iceberg");
        flight = new StockFlight(server.port());
    }

    @AfterEach
    void stop() throws InterruptedException {
        flight.close();
        server.close();
    }

    @Test
    void everyMetricHasAValueOnceThereWereRequests() throws Exception {
        createLakeTable("orders");
        append("orders", 3);
        assertThatThrownBy(() -> append("absent", 1)).isInstanceOf(FlightRuntimeException.class);

        String metrics = get("/metrics").body();

        for (ServerMetric metric : ServerMetric.values()) {
            assertThat(metrics)
                    .as(metric.name())
                    .containsPattern(
                            "(?m)^"
                                    + metric.shownName()
                                    + (metric.type() == ServerMetric.Type.HISTOGRAM ? "_count" : "")
                                    + "[ {]");
        }
        assertThat(value(metrics, "fluss_tabletserver_messagesIn_total")).isEqualTo(3);
        assertThat(value(metrics, table("messagesIn_total", "orders"))).isEqualTo(3);
        assertThat(value(metrics, table("totalProduceLogRequests_total", "orders"))).isEqualTo(1);
        assertThat(value(metrics, table("pendingRecords", "orders"))).isEqualTo(3);
        assertThat(metrics)
                .contains(
                        "fluss_tabletserver_request_errors_total{code=\"TABLE_NOT_FOUND\",request=\"metadata\"}");
        assertThat(value(metrics, "fluss_tabletserver_bucketCount")).isEqualTo(2);
        assertThat(value(metrics, "fluss_tabletserver_leaderCount")).isEqualTo(2);
        assertThat(value(metrics, "fluss_tabletserver_group_leader{group=\"shard-0\"}"))
                .isEqualTo(1);
        assertThat(value(metrics, "fluss_tabletserver_group_logFlushes_total{group=\"metadata\"}"))
                .isPositive();
        assertThat(value(metrics, "fluss_tabletserver_logSize")).isPositive();
        assertThat(value(metrics, "fluss_tabletserver_diskTotalBytes")).isPositive();
        assertThat(value(metrics, "fluss_tabletserver_request_inFlightBytes")).isZero();
    }

    @Test
    void tablesBeyondTheLimitShareSeriesAndDroppedOnesLoseThem() throws Exception {
        for (String name : List.of("first", "second", "third", "fourth")) {
            flight.createTable(name);
            append(name, 1);
        }

        String metrics = get("/metrics").body();

        assertThat(value(metrics, table("messagesIn_total", "first"))).isEqualTo(1);
        assertThat(metrics).doesNotContain("table=\"third\"", "table=\"fourth\"");
        assertThat(
                        value(
                                metrics,
                                "fluss_tabletserver_table_messagesIn_total{database=\"(other)\",table=\"(other)\"}"))
                .isEqualTo(2);

        act(new CatalogOperation.DropTable(new TablePath("fluss", "first")).toAction());

        String after = get("/metrics").body();
        assertThat(after).doesNotContain("table=\"first\"");
        assertThat(value(after, "fluss_tabletserver_messagesIn_total")).isEqualTo(4);
    }

    @Test
    void healthyAndReadyWhenItServes() throws Exception {
        assertThat(get("/health").statusCode()).isEqualTo(200);
        assertThat(get("/health").body()).contains("\"healthy\":true");
        assertThat(get("/ready").statusCode()).isEqualTo(200);
        assertThat(get("/ready").body()).contains("\"ready\":true", "\"reasons\":[]");
    }

    @Test
    void theNodeSaysWhatItIs() throws Exception {
        flight.createTable("events");
        append("events", 5);

        NodeStatus status = NodeStatus.decode(act(NodeStatus.request()));

        assertThat(status.nodeId()).isEqualTo("n1");
        assertThat(status.obstacles()).isEmpty();
        assertThat(status.content().tables()).isEqualTo(1);
        assertThat(status.content().buckets()).isEqualTo(2);
        assertThat(status.content().logBytes()).isPositive();
        assertThat(status.content().tierLagMillis()).isEqualTo(-1);
        assertThat(status.resources().disk().limit()).isPositive();
        assertThat(status.resources().heap().used()).isPositive();
        assertThat(status.groups())
                .extracting(NodeStatus.Group::name)
                .containsExactly("metadata", "shard-0", "shard-1");
        assertThat(status.groups())
                .allSatisfy(
                        group -> {
                            assertThat(group.leading()).isTrue();
                            assertThat(group.leader()).isEqualTo("n1");
                            assertThat(group.applied()).isEqualTo(group.committed());
                            assertThat(group.logBytes()).isPositive();
                        });
    }

    @Test
    void aTakenPortIsRefusedWhenItWasAskedForAndAvoidedOtherwise(@TempDir Path other)
            throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(
                            () ->
                                    StorageServer.start(
                                            "--data-dir",
                                            other.toString(),
                                            "--port",
                                            "0",
                                            "-Dmetrics.port=" + taken.getLocalPort()))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            refused -> {
                                assertThat(refused.code()).isEqualTo(ErrorCode.PORT_IN_USE);
                                assertThat(refused).hasMessageContaining("metrics.port");
                            });
        }
        try (StorageServer second =
                StorageServer.start(
                        "--data-dir", other.toString(), "--port", "0", "-Dmetrics.port=off")) {
            assertThat(second.monitoringPort()).isEmpty();
        }
    }

    private void createLakeTable(String name) {
        TableDescriptor descriptor =
                new TableDescriptor(
                        StockFlight.SCHEMA,
                        List.of(),
                        List.of(),
                        2,
                        Map.of("table.datalake.enabled", "true"),
                        Map.of(),
                        "");
        act(new CatalogOperation.CreateTable(new TablePath("fluss", name), descriptor).toAction());
    }

    private ByteBuffer act(io.flinkfluss.storage.api.wire.Action action) {
        byte[] body = new byte[action.body().remaining()];
        action.body().duplicate().get(body);
        return ByteBuffer.wrap(
                flight.client.doAction(new Action(action.type(), body)).next().getBody());
    }

    private void append(String table, int rows) {
        try (VectorSchemaRoot root = flight.newRoot()) {
            AsyncPutListener listener = new AsyncPutListener();
            var stream =
                    flight.client.startPut(
                            FlightDescriptor.path("fluss", table, "0"), root, listener);
            StockFlight.fill(root, 0, rows);
            stream.putNext();
            stream.completed();
            stream.getResult();
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(
                                URI.create(
                                        "http://127.0.0.1:"
                                                + server.monitoringPort().orElseThrow()
                                                + path))
                        .timeout(Duration.ofSeconds(20))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String table(String metric, String table) {
        return "fluss_tabletserver_table_"
                + metric
                + "{database=\"fluss\",table=\""
                + table
                + "\"}";
    }

    private static double value(String metrics, String series) {
        return metrics.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + series + " in\n" + metrics));
    }
}

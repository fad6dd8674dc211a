package io.flinkfluss.storage.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class MonitoringEndpointTest {
    private final ExecutorService executor = Executors.newFixedThreadPool(2);
    private final MonitoringEndpoint endpoint =
            MonitoringEndpoint.start("127.0.0.1", 0, new ServerMetrics(), executor);

    @AfterEach
    void close() {
        endpoint.close();
        executor.shutdownNow();
    }

    @Test
    void healthyButNotReadyWhileTheNodeOpensItsData() throws Exception {
        assertThat(ask("GET", "/health").statusCode()).isEqualTo(200);
        assertThat(ask("GET", "/ready").statusCode()).isEqualTo(503);
        assertThat(ask("GET", "/ready").body())
                .isEqualTo("{\"ready\":false,\"reasons\":[\"the node is opening its data\"]}\n");
        assertThat(ask("GET", "/metrics").body()).contains("jvm_memory_used_bytes");
    }

    @Test
    void saysWhyItIsNotReady() throws Exception {
        endpoint.readiness(() -> List.of("group \"a\" has no leader", "line\nbreak"));

        assertThat(ask("GET", "/ready").body())
                .isEqualTo(
                        "{\"ready\":false,\"reasons\":[\"group \\\"a\\\" has no leader\","
                                + "\"line\\u000abreak\"]}\n");

        endpoint.readiness(List::of);
        assertThat(ask("GET", "/ready").statusCode()).isEqualTo(200);

        endpoint.stopping();
        assertThat(ask("GET", "/ready").statusCode()).isEqualTo(503);
    }

    @Test
    void aFailingCheckIsAnErrorAndNotAHang() throws Exception {
        endpoint.readiness(
                () -> {
                    throw new IllegalStateException("broken");
                });

        assertThat(ask("GET", "/ready").statusCode()).isEqualTo(500);
    }

    @Test
    void onlyReadsOfItsPathsAreAnswered() throws Exception {
        assertThat(ask("GET", "/metrics/x").statusCode()).isEqualTo(404);
        assertThat(ask("GET", "/").statusCode()).isEqualTo(404);
        assertThat(ask("POST", "/ready").statusCode()).isEqualTo(405);
        assertThat(ask("HEAD", "/health").statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> ask(String method, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(
                                        URI.create("http://127.0.0.1:" + endpoint.port() + path))
                                .method(method, HttpRequest.BodyPublishers.noBody())
                                .timeout(Duration.ofSeconds(20))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}

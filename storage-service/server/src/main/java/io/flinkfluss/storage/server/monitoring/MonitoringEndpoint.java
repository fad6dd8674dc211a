package io.flinkfluss.storage.server.monitoring;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's HTTP port for monitoring, read only: {@code /metrics} in Prometheus' text format,
 * {@code /health} (200 while the process lives; a fatal fault ends it) and {@code /ready} (200 when
 * every group has a leader and this replica is current, else 503; the JSON body says why not). It
 * answers before the node has opened its data, so that a long start can be watched.
 */
public final class MonitoringEndpoint implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MonitoringEndpoint.class);
    private static final List<String> STARTING = List.of("the node is opening its data");
    private static final List<String> STOPPING = List.of("the node is stopping");
    private static final String JSON = "application/json; charset=utf-8";
    private static final int BACKLOG = 16;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int FAILED = 500;
    private static final int UNAVAILABLE = 503;

    static {
        // Clients that send or read too slowly lose their connection; ours are the only servers.
        setDefault("sun.net.httpserver.maxReqTime", "10");
        setDefault("sun.net.httpserver.maxRspTime", "30");
        setDefault("jdk.httpserver.maxConnections", "64");
    }

    private final HttpServer server;
    private final ServerMetrics metrics;
    private volatile Supplier<List<String>> obstacles = () -> STARTING;

    private MonitoringEndpoint(HttpServer server, ServerMetrics metrics) {
        this.server = server;
        this.metrics = metrics;
    }

    /**
     * Begins to answer.
     *
     * @param port 0 for any free one
     * @throws StorageException PORT_IN_USE
     */
    public static MonitoringEndpoint start(
            String host, int port, ServerMetrics metrics, Executor executor) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(host, port), BACKLOG);
            MonitoringEndpoint endpoint = new MonitoringEndpoint(server, metrics);
            server.createContext("/metrics", handler("/metrics", endpoint::metrics));
            server.createContext("/health", handler("/health", endpoint::health));
            server.createContext("/ready", handler("/ready", endpoint::ready));
            server.setExecutor(executor);
            server.start();
            return endpoint;
        } catch (IOException failure) {
            throw new StorageException(
                    ErrorCode.PORT_IN_USE,
                    "cannot listen on "
                            + host
                            + ":"
                            + port
                            + " for metrics: "
                            + failure.getMessage()
                            + "; stop what uses the port, or set metrics.port to another one, auto"
                            + " or off",
                    failure);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** From now on readiness is what this says; an empty list is ready. */
    public void readiness(Supplier<List<String>> newObstacles) {
        obstacles = newObstacles;
    }

    /** Not ready any more, but still watched. */
    public void stopping() {
        obstacles = () -> STOPPING;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private Answer metrics() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream(64 * 1024);
        metrics.write(text);
        return new Answer(OK, metrics.contentType(), text.toByteArray());
    }

    private Answer health() {
        return Answer.json(OK, "{\"healthy\":true}");
    }

    private Answer ready() {
        List<String> reasons = obstacles.get();
        return Answer.json(
                reasons.isEmpty() ? OK : UNAVAILABLE,
                reasons.stream()
                        .map(MonitoringEndpoint::quoted)
                        .collect(
                                Collectors.joining(
                                        ",",
                                        "{\"ready\":" + reasons.isEmpty() + ",\"reasons\":[",
                                        "]}")));
    }

    private static HttpHandler handler(String path, Content content) {
        return exchange -> {
            try (exchange) {
                send(exchange, answer(exchange, path, content));
            }
        };
    }

    private static Answer answer(HttpExchange exchange, String path, Content content) {
        String method = exchange.getRequestMethod();
        if (!exchange.getRequestURI().getPath().equals(path)) {
            return Answer.json(NOT_FOUND, "{\"paths\":[\"/metrics\",\"/health\",\"/ready\"]}");
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return Answer.json(METHOD_NOT_ALLOWED, "{\"allowed\":[\"GET\",\"HEAD\"]}");
        }
        try {
            return content.answer();
        } catch (IOException | RuntimeException failure) {
            LOG.warn("{} could not be answered", path, failure);
            return Answer.json(FAILED, "{\"error\":" + quoted(String.valueOf(failure)) + "}");
        }
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", answer.contentType);
        boolean hasBody = !exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(answer.status, hasBody ? answer.body.length : -1);
        if (hasBody) {
            exchange.getResponseBody().write(answer.body);
        }
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.chars()
                .forEach(
                        character -> {
                            if (character == '"' || character == '\\') {
                                json.append('\\').append((char) character);
                            } else if (character < ' ') {
                                json.append(String.format("\\u%04x", character));
                            } else {
                                json.append((char) character);
                            }
                        });
        return json.append('"').toString();
    }

    private static void setDefault(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    /** Makes one answer. */
    private interface Content {
        Answer answer() throws IOException;
    }

    private record Answer(int status, String contentType, byte[] body) {
        static Answer json(int status, String text) {
            return new Answer(status, JSON, (text + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}

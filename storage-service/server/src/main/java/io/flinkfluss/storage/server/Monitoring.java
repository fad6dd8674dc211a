package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.NodeStatus;
import io.flinkfluss.storage.server.monitoring.MeteredService;
import io.flinkfluss.storage.server.monitoring.MonitoringEndpoint;
import io.flinkfluss.storage.server.monitoring.NodeGauges;
import io.flinkfluss.storage.server.monitoring.NodeMonitor;
import io.flinkfluss.storage.server.monitoring.NodeParts;
import io.flinkfluss.storage.server.monitoring.ServerMetrics;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.runtime.ServerThreads;
import io.flinkfluss.storage.server.transport.FlightServer;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The monitoring of one server: begins before the node opens, so that its start can be watched, and
 * learns of the node and the transport when they are there.
 */
final class Monitoring implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Monitoring.class);

    private static final int THREADS = 2;

    private final ServerConfig config;
    private final ServerClock clock;
    private final ServerMetrics metrics = new ServerMetrics();
    private final Optional<MonitoringEndpoint> endpoint;
    private volatile NodeMonitor node;
    private volatile FlightServer transport;
    private volatile BooleanSupplier ready = () -> false;

    private Monitoring(ServerConfig config, ServerClock clock, ServerThreads threads) {
        this.config = config;
        this.clock = clock;
        endpoint = endpoint(config.monitoring(), metrics, threads);
    }

    /**
     * @throws StorageException PORT_IN_USE
     */
    static Monitoring start(ServerConfig config, ServerClock clock, ServerThreads threads) {
        return new Monitoring(config, clock, threads);
    }

    /** The service of an opened node, counted and timed. */
    StorageService metered(StorageService service, NodeParts parts) {
        NodeMonitor opened =
                new NodeMonitor(
                        new NodeMonitor.Identity(
                                config.self().id(),
                                release(),
                                config.transport().nodeInFlightBytes()),
                        parts,
                        clock,
                        this::inFlightBytes,
                        () -> ready.getAsBoolean());
        node = opened;
        NodeGauges.register(metrics, opened, clock);
        return new MeteredService(
                service,
                metrics,
                clock,
                id -> parts.metadata().table(id).map(table -> table.path()),
                config.monitoring().mostTables());
    }

    /**
     * The node has opened its data.
     *
     * @param isReady whether it has applied everything too
     */
    void opened(FlightServer serving, BooleanSupplier isReady) {
        ready = isReady;
        transport = serving;
        endpoint.ifPresent(http -> http.readiness(node::obstacles));
    }

    OptionalInt port() {
        return endpoint.isPresent() ? OptionalInt.of(endpoint.get().port()) : OptionalInt.empty();
    }

    NodeStatus status() {
        return node.status();
    }

    void stopping() {
        endpoint.ifPresent(MonitoringEndpoint::stopping);
    }

    @Override
    public void close() {
        endpoint.ifPresent(MonitoringEndpoint::close);
    }

    private long inFlightBytes() {
        FlightServer serving = transport;
        return serving == null ? 0 : serving.inFlightBytes();
    }

    /** From the jar's manifest; unknown where classes come from a folder. */
    private static String release() {
        String version = Monitoring.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    private static Optional<MonitoringEndpoint> endpoint(
            ServerConfig.Monitoring settings, ServerMetrics metrics, ServerThreads threads) {
        if (settings.port().isEmpty()) {
            return Optional.empty();
        }
        MonitoringEndpoint endpoint;
        try {
            endpoint = listen(settings, settings.port().getAsInt(), metrics, threads);
        } catch (StorageException taken) {
            if (taken.code() != ErrorCode.PORT_IN_USE || !settings.fallBack()) {
                throw taken;
            }
            endpoint = listen(settings, 0, metrics, threads);
        }
        LOG.info("metrics on http://{}:{}/metrics", settings.host(), endpoint.port());
        return Optional.of(endpoint);
    }

    private static MonitoringEndpoint listen(
            ServerConfig.Monitoring settings,
            int port,
            ServerMetrics metrics,
            ServerThreads threads) {
        return MonitoringEndpoint.start(
                settings.host(), port, metrics, threads.newPool("fluss-monitoring", THREADS));
    }
}

package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.kv.KvMemory;
import io.flinkfluss.storage.server.runtime.FaultHandler;
import io.flinkfluss.storage.server.runtime.ProcessHalt;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.runtime.ServerThreads;
import io.flinkfluss.storage.server.runtime.StopSignal;
import io.flinkfluss.storage.server.transport.FlightServer;
import io.flinkfluss.storage.server.transport.TransportSettings;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage service's process. {@link #main} runs until SIGTERM or SIGINT; tests start one in
 * their own process.
 */
public final class StorageServer implements AutoCloseable {
    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int BAD_INPUT = 2;
    private static final int DATA_DIRECTORY = 3;
    private static final int PORT = 4;
    private static final int MESSAGE_OVERHEAD = 1 << 20;

    private final ServerConfig config;
    private final DataDirectory directory;
    private final ServerThreads threads;
    private final StorageNode node;
    private final FlightServer transport;

    private StorageServer(
            ServerConfig config,
            DataDirectory directory,
            ServerThreads threads,
            StorageNode node,
            FlightServer transport) {
        this.config = config;
        this.directory = directory;
        this.threads = threads;
        this.node = node;
        this.transport = transport;
    }

    /**
     * Starts a server and returns when it serves; arguments as on the command line.
     *
     * @throws StorageException INVALID_REQUEST and other user errors, DATA_DIRECTORY_IN_USE,
     *     INCOMPATIBLE_VERSION, PORT_IN_USE, CORRUPT_DATA
     */
    public static StorageServer start(String... arguments) throws InterruptedException {
        return start(ServerArguments.parse(arguments));
    }

    static StorageServer start(ServerConfig config) throws InterruptedException {
        warnOfEvenPeers(config);
        checkPort(config.endpoint());
        int cores = Runtime.getRuntime().availableProcessors();
        DataDirectory directory = DataDirectory.open(config.dataDir(), config.shards(), cores);
        FaultHandler faults = new ProcessHalt();
        ServerThreads threads = new ServerThreads(Math.max(4, 2 * cores), faults);
        StorageNode node = null;
        FlightServer transport = null;
        threads.workers().execute(StorageServer::loadLibrary);
        try {
            new Founding(config, directory, ServerClock.system()).run();
            node = StorageNode.begin(config, directory, threads, ServerClock.system(), faults);
            // Nodes that start together may need each other's checkpoints to become ready.
            transport = transport(config, node, threads);
            node.awaitReady();
            directory.use();
            watch(directory, threads, faults);
            StorageServer server = new StorageServer(config, directory, threads, node, transport);
            logger().info(
                            "serving {} with {} shards on {}:{}",
                            config.dataDir(),
                            directory.shards(),
                            server.host(),
                            server.port());
            return server;
        } catch (RuntimeException | InterruptedException failure) {
            if (transport != null) {
                transport.close();
            }
            threads.close();
            if (node != null) {
                node.close();
            }
            directory.close();
            throw failure;
        }
    }

    private static void loadLibrary() {
        try {
            KvMemory.load();
        } catch (LinkageError failed) {
            logger().warn("RocksDB's library cannot be loaded", failed);
        }
    }

    StorageNode node() {
        return node;
    }

    /** Where metrics, health and readiness are; empty when they are off. */
    public java.util.OptionalInt monitoringPort() {
        return node.monitoring().port();
    }

    public String host() {
        return config.endpoint().host();
    }

    public int port() {
        return transport.port();
    }

    /** Hands over what it leads, stops serving, makes checkpoints and closes everything. */
    @Override
    public void close() {
        node.leave();
        transport.close();
        node.checkpoint();
        // Readers end before the files they read are closed.
        threads.close();
        node.close();
        directory.close();
    }

    public static void main(String[] arguments) {
        if (System.getProperty("log4j2.configurationFile") == null) {
            System.setProperty("log4j2.configurationFile", "classpath:storage-server-log4j2.xml");
        }
        System.exit(run(System.out, System.err, arguments));
    }

    private static int run(PrintStream output, PrintStream errors, String... arguments) {
        StopSignal stop = StopSignal.install();
        try (StorageServer server = start(arguments)) {
            output.println("ready on " + server.host() + ":" + server.port());
            output.flush();
            stop.await();
            logger().info("stopping");
            return OK;
        } catch (StorageException refused) {
            logger().error("the storage service did not start", refused);
            errors.println(refused.code() + ": " + refused.getMessage());
            return exitCode(refused);
        } catch (UncheckedIOException failure) {
            logger().error("the storage service did not start", failure);
            errors.println(failure.getMessage() + ": " + failure.getCause());
            return FAILED;
        } catch (InterruptedException interrupted) {
            return FAILED;
        }
    }

    private static int exitCode(StorageException refused) {
        return switch (refused.code()) {
            case DATA_DIRECTORY_IN_USE, INCOMPATIBLE_VERSION -> DATA_DIRECTORY;
            case PORT_IN_USE -> PORT;
            case INVALID_REQUEST, UNKNOWN_OPTION, INVALID_OPTION -> BAD_INPUT;
            default -> FAILED;
        };
    }

    private static FlightServer transport(
            ServerConfig config, StorageNode node, ServerThreads threads) {
        PortOfTransport port = new PortOfTransport();
        FlightServer transport =
                FlightServer.start(
                        new TransportSettings(
                                config.endpoint().host(),
                                config.endpoint().port(),
                                config.writes().largestBatch() + MESSAGE_OVERHEAD,
                                config.transport().nodeInFlightBytes(),
                                config.transport().streamInFlightBytes()),
                        new FlightServer.Served(
                                node.meteredService(),
                                node::introduction,
                                node.monitoring()::status,
                                () -> node.view(port.number),
                                node::schema,
                                node.checkpointLeases(),
                                node::isReady,
                                threads.workers(),
                                threads.requests()));
        port.number = transport.port();
        node.monitoring().opened(transport, node::isReady);
        return transport;
    }

    private static void watch(DataDirectory directory, ServerThreads threads, FaultHandler faults) {
        var unused =
                threads.every(
                        Duration.ofSeconds(1),
                        "looking at the data directory",
                        () -> {
                            if (!directory.isThere()) {
                                faults.fatal(
                                        "the data directory "
                                                + directory
                                                + " was deleted while it was in use",
                                        null);
                            }
                        });
    }

    private static void warnOfEvenPeers(ServerConfig config) {
        int peers = config.peers().size();
        if (peers % 2 == 0) {
            logger().warn(
                            "--peers names {} nodes, which survive the loss of {}, like {} nodes do;"
                                    + " better use an odd number",
                            peers,
                            (peers - 1) / 2,
                            peers - 1);
        }
    }

    /** Finds a used port before anything is opened, which may take long. */
    private static void checkPort(ServerConfig.Endpoint endpoint) {
        if (endpoint.port() == 0) {
            return;
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(endpoint.host(), endpoint.port()));
        } catch (java.io.IOException used) {
            throw FlightServer.cannotListen(endpoint.host(), endpoint.port(), used);
        }
    }

    /** Not before the configuration of logging was chosen. */
    private static Logger logger() {
        return LoggerFactory.getLogger(StorageServer.class);
    }

    /** Known only after the transport has begun. */
    private static final class PortOfTransport {
        private volatile int number;
    }
}

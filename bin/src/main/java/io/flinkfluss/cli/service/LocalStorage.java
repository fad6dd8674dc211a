package io.flinkfluss.cli.service;

import io.flinkfluss.cli.runtime.BackgroundProcess;
import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.Deadline;
import io.flinkfluss.cli.runtime.Distribution;
import io.flinkfluss.cli.runtime.Ports;
import io.flinkfluss.cli.runtime.StateDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The storage service on this machine: one process, or a cluster of several. */
public final class LocalStorage {
    public static final int DEFAULT_PORT = 9123;

    /** So many nodes can be started on one machine. */
    public static final int MOST_NODES = 9;

    private static final String NAME = "storage";
    static final String MAIN = "io.flinkfluss.storage.server.StorageServer";
    private static final Duration START_PATIENCE = Duration.ofSeconds(120);

    /** From a node's port to the one on which the nodes talk to each other. */
    private static final int RAFT_PORT_DISTANCE = 1000;

    private final StateDirectory state;

    public LocalStorage(StateDirectory state) {
        this.state = state;
    }

    /**
     * What to start.
     *
     * @param nodes 1 to {@link #MOST_NODES}
     * @param port of the first node; further ones get the ports after it
     * @param options {@code key=value} of the server, beside those of the local warehouse
     */
    public record Plan(int nodes, int port, Path dataDir, List<String> options) {
        public Plan {
            options = List.copyOf(options);
            if (nodes < 1 || nodes > MOST_NODES) {
                throw new CliException("--nodes is 1 to " + MOST_NODES + ", not " + nodes);
            }
        }

        static Plan single(Path dataDir, int port) {
            return new Plan(1, port, dataDir, List.of());
        }

        private String name(int node) {
            return nodes == 1 ? NAME : nodeName(node);
        }

        private Path dataDir(int node) {
            return nodes == 1 ? dataDir : dataDir.resolve("n" + node);
        }

        private int port(int node) {
            return port + node - 1;
        }

        private String peers() {
            return IntStream.rangeClosed(1, nodes)
                    .mapToObj(
                            node ->
                                    "n"
                                            + node
                                            + "@127.0.0.1:"
                                            + port(node)
                                            + ":"
                                            + (port(node) + RAFT_PORT_DISTANCE))
                    .collect(Collectors.joining(","));
        }
    }

    /** The processes that run, in order. */
    public List<BackgroundProcess> running() {
        List<BackgroundProcess> running = new ArrayList<>();
        BackgroundProcess.find(state, NAME).ifPresent(running::add);
        for (int node = 1; node <= MOST_NODES; node++) {
            BackgroundProcess.find(state, nodeName(node)).ifPresent(running::add);
        }
        return running;
    }

    /** Addresses of the running nodes, as clients take them; empty when none runs. */
    public Optional<String> address() {
        List<BackgroundProcess> running = running();
        return running.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        running.stream()
                                .map(process -> process.fact("address"))
                                .collect(Collectors.joining(",")));
    }

    public Path log() {
        return state.log(NAME);
    }

    /** Starts one node and waits until it serves. */
    public BackgroundProcess start(Path dataDir, int port) {
        return start(Plan.single(dataDir, port)).get(0);
    }

    /**
     * Starts the nodes, or those of them that do not run, and waits until they serve; when one does
     * not, those that were started are stopped.
     *
     * @throws CliException when the service runs already, a port is in use, or a node does not get
     *     ready
     */
    public List<BackgroundProcess> start(Plan plan) {
        Set<Integer> missing = missing(plan);
        for (int node : missing) {
            Ports.requireFree(plan.port(node), "the storage service", "--port");
            if (plan.nodes > 1) {
                Ports.requireFree(
                        plan.port(node) + RAFT_PORT_DISTANCE,
                        "the traffic between nodes (--port + " + RAFT_PORT_DISTANCE + ")",
                        "--port");
            }
        }
        List<BackgroundProcess> started = new ArrayList<>();
        try {
            for (int node : missing) {
                started.add(start(plan, node));
            }
            Deadline deadline = Deadline.in(START_PATIENCE);
            for (BackgroundProcess process : started) {
                process.awaitReady(deadline, () -> process.printed("ready on "));
            }
            return started;
        } catch (CliException failure) {
            started.stream().filter(BackgroundProcess::isAlive).forEach(BackgroundProcess::stop);
            throw failure;
        }
    }

    /** Nodes to start: all, or those of the planned cluster that do not run. */
    private Set<Integer> missing(Plan plan) {
        Set<Integer> missing = new TreeSet<>();
        List<BackgroundProcess> others = running();
        for (int node = 1; node <= plan.nodes; node++) {
            int number = node;
            boolean runs =
                    plan.nodes > 1
                            && others.removeIf(
                                    process ->
                                            process.name().equals(plan.name(number))
                                                    && process.fact("data-dir")
                                                            .equals(plan.dataDir(number).toString())
                                                    && process.fact("port")
                                                            .equals(
                                                                    Integer.toString(
                                                                            plan.port(number))));
            if (!runs) {
                missing.add(node);
            }
        }
        refuseSecond(missing.isEmpty() ? running() : others);
        return missing;
    }

    private static void refuseSecond(List<BackgroundProcess> running) {
        if (!running.isEmpty()) {
            BackgroundProcess first = running.get(0);
            throw new CliException(
                    "the storage service already runs (pid "
                            + first.pid()
                            + ", "
                            + first.fact("address")
                            + "); stop it with: bin/fluss stop");
        }
    }

    private BackgroundProcess start(Plan plan, int node) {
        String name = plan.name(node);
        int port = plan.port(node);
        return BackgroundProcess.start(
                state,
                name,
                command(plan, node),
                Map.of(),
                Map.of(
                        "address",
                        "localhost:" + port,
                        "port",
                        Integer.toString(port),
                        "data-dir",
                        plan.dataDir(node).toString(),
                        "log",
                        state.log(name).toString()));
    }

    private List<String> command(Plan plan, int node) {
        List<String> command = new ArrayList<>();
        command.add(Distribution.java());
        command.addAll(Distribution.current().serverFlags());
        command.addAll(
                List.of(
                        "-Xms256m",
                        "-Xmx1g",
                        "-XX:MaxDirectMemorySize=1g",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Dlog4j2.configurationFile=" + Logging.write(state, plan.name(node)),
                        "-cp",
                        Distribution.current().serverClassPath(),
                        MAIN,
                        "--data-dir",
                        plan.dataDir(node).toString(),
                        "--port",
                        Integer.toString(plan.port(node))));
        if (plan.nodes > 1) {
            command.addAll(List.of("--node-id", "n" + node, "--peers", plan.peers()));
        }
        for (String option :
                List.of(
                        "datalake.format=iceberg",
                        "datalake.iceberg.type=hadoop",
                        "datalake.iceberg.warehouse=" + state.warehouse().toUri())) {
            command.addAll(List.of("-D", option));
        }
        // Later ones win.
        plan.options.forEach(option -> command.addAll(List.of("-D", option)));
        return command;
    }

    private static String nodeName(int node) {
        return NAME + "-n" + node;
    }
}

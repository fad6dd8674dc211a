package io.flinkfluss.benchmarks.cluster;

import io.flinkfluss.benchmarks.plan.SystemKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * This product: one storage process a node with its defaults, which sync before they acknowledge.
 */
final class ProductServers implements SystemServers {
    private static final String MAIN = "io.flinkfluss.storage.server.StorageServer";
    private static final int PORTS_PER_NODE = 2;

    private final Libraries libraries;
    private final Processes processes;
    private final Layout layout;
    private final List<Integer> ports;
    private final Path data;
    private final List<Long> pids = new ArrayList<>();

    ProductServers(Libraries libraries, Processes processes, Layout layout) {
        this.libraries = libraries;
        this.processes = processes;
        this.layout = layout;
        ports = Ports.free(PORTS_PER_NODE * layout.nodes());
        data = SystemServers.folder(processes, "data");
    }

    @Override
    public void prepare() {}

    @Override
    public void start() {
        for (int node = 1; node <= layout.nodes(); node++) {
            List<String> flags = new ArrayList<>(libraries.jvmFlags(SystemKind.PRODUCT));
            flags.addAll(libraries.serverFlags(SystemKind.PRODUCT));
            JavaCommand java = new JavaCommand(layout.heap(), flags, Logging.servers(processes));
            List<String> command =
                    java.run(libraries.serverClassPath(SystemKind.PRODUCT), MAIN, arguments(node));
            pids.add(processes.server(name(node), command).pid());
        }
    }

    private List<String> arguments(int node) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--data-dir",
                                data.resolve(name(node)).toString(),
                                "--host",
                                Ports.HOST,
                                "--port",
                                Integer.toString(clientPort(node))));
        if (layout.nodes() > 1) {
            String peers =
                    nodes().mapToObj(
                                    peer ->
                                            "%s@%s:%d:%d"
                                                    .formatted(
                                                            name(peer),
                                                            Ports.HOST,
                                                            clientPort(peer),
                                                            peerPort(peer)))
                            .collect(Collectors.joining(","));
            arguments.addAll(List.of("--node-id", name(node), "--peers", peers));
        }
        layout.optionsWithLake(warehouse())
                .forEach((key, value) -> arguments.addAll(List.of("-D", key + "=" + value)));
        return arguments;
    }

    private IntStream nodes() {
        return IntStream.rangeClosed(1, layout.nodes());
    }

    private static String name(int node) {
        return "n" + node;
    }

    private int clientPort(int node) {
        return ports.get(PORTS_PER_NODE * (node - 1));
    }

    private int peerPort(int node) {
        return ports.get(PORTS_PER_NODE * (node - 1) + 1);
    }

    @Override
    public String addresses() {
        return nodes().mapToObj(node -> Ports.HOST + ":" + clientPort(node))
                .collect(Collectors.joining(","));
    }

    @Override
    public void kill(int node) {
        processes.kill(name(node));
    }

    @Override
    public List<Long> pids() {
        return List.copyOf(pids);
    }

    @Override
    public Path warehouse() {
        return processes.folder().resolve("warehouse");
    }

    @Override
    public List<Path> folders() {
        return List.of(data);
    }
}

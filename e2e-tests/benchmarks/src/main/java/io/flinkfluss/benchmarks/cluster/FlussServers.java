package io.flinkfluss.benchmarks.cluster;

import io.flinkfluss.benchmarks.plan.SystemKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Apache Fluss: the ZooKeeper inside its jar, a coordinator and a tablet server a node, with
 * defaults. With several nodes two replicas must be in sync, as with its peers.
 */
final class FlussServers implements SystemServers {
    private static final String ZOOKEEPER =
            "org.apache.fluss.shaded.zookeeper3.org.apache.zookeeper.server.quorum.QuorumPeerMain";
    private static final String COORDINATOR =
            "org.apache.fluss.server.coordinator.CoordinatorServer";
    private static final String TABLET = "org.apache.fluss.server.tablet.TabletServer";
    private static final String ZOOKEEPER_HEAP = "256m";
    private static final String COORDINATOR_HEAP = "512m";

    private final Libraries libraries;
    private final Processes processes;
    private final Layout layout;
    private final int zookeeperPort;
    private final int coordinatorPort;
    private final List<Integer> tabletPorts;
    private final Path data;
    private final Path remote;
    private final List<Long> pids = new ArrayList<>();
    private Path zookeeperFile;
    private Path serverFile;

    FlussServers(Libraries libraries, Processes processes, Layout layout) {
        this.libraries = libraries;
        this.processes = processes;
        this.layout = layout;
        List<Integer> ports = Ports.free(2 + layout.nodes());
        zookeeperPort = ports.get(0);
        coordinatorPort = ports.get(1);
        tabletPorts = ports.subList(2, ports.size());
        data = SystemServers.folder(processes, "data");
        remote = SystemServers.folder(processes, "remote");
    }

    @Override
    public void prepare() {
        Path folder = SystemServers.folder(processes, "zookeeper");
        zookeeperFile =
                SystemServers.write(
                        processes,
                        "zookeeper.properties",
                        """
                        dataDir=%s
                        clientPort=%d
                        clientPortAddress=%s
                        admin.enableServer=false
                        """
                                .formatted(folder, zookeeperPort, Ports.HOST));
        serverFile = SystemServers.write(processes, "conf/server.yaml", settings());
    }

    private String settings() {
        StringBuilder text = new StringBuilder();
        text.append("zookeeper.address: %s:%d\n".formatted(Ports.HOST, zookeeperPort));
        text.append("remote.data.dir: %s\n".formatted(remote));
        if (layout.nodes() > 1) {
            text.append("default.replication.factor: %d\n".formatted(layout.nodes()));
            text.append("log.replica.min-in-sync-replicas-number: 2\n");
        }
        layout.optionsWithLake(warehouse())
                .forEach((key, value) -> text.append("%s: %s\n".formatted(key, value)));
        return text.toString();
    }

    @Override
    public void start() {
        run("zookeeper", ZOOKEEPER_HEAP, ZOOKEEPER, List.of(zookeeperFile.toString()));
        run("coordinator", COORDINATOR_HEAP, COORDINATOR, arguments(coordinatorPort));
        for (int node = 1; node <= layout.nodes(); node++) {
            List<String> tablet = new ArrayList<>(arguments(tabletPorts.get(node - 1)));
            tablet.add("-Dtablet-server.id=" + node);
            tablet.add("-Ddata.dir=" + data.resolve(name(node)));
            run(name(node), layout.heap(), TABLET, tablet);
        }
    }

    private List<String> arguments(int port) {
        return List.of(
                "--configDir",
                serverFile.getParent().toString(),
                "-Dbind.listeners=FLUSS://" + Ports.HOST + ":" + port);
    }

    private void run(String name, String heap, String main, List<String> arguments) {
        JavaCommand java =
                new JavaCommand(
                        heap, libraries.jvmFlags(SystemKind.FLUSS), Logging.servers(processes));
        List<String> command =
                java.run(libraries.serverClassPath(SystemKind.FLUSS), main, arguments);
        Map<String, String> environment =
                layout.hasLake()
                        ? Map.of("FLUSS_PLUGINS_DIR", libraries.plugins().toString())
                        : Map.of();
        pids.add(processes.server(name, command, environment).pid());
    }

    private static String name(int node) {
        return "tablet" + node;
    }

    /** Tablet servers answer too, so that a client is not lost with one server. */
    @Override
    public String addresses() {
        return Ports.HOST
                + ":"
                + coordinatorPort
                + tabletPorts.stream()
                        .map(port -> "," + Ports.HOST + ":" + port)
                        .collect(Collectors.joining());
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
        return List.of(data, remote);
    }
}

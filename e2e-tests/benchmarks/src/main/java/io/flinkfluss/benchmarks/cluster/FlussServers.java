package io.flinkfluss.benchmarks.cluster;

import io.flinkfluss.benchmarks.plan.SystemKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Apache Fluss: the ZooKeeper inside its jar, a coordinator and a tablet server, with defaults. */
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
    private final List<Integer> ports = Ports.free(3);
    private final Path data;
    private final Path remote;
    private final List<Long> pids = new ArrayList<>();
    private Path zookeeperFile;
    private Path serverFile;

    FlussServers(Libraries libraries, Processes processes) {
        this.libraries = libraries;
        this.processes = processes;
        data = SystemServers.folder(processes, "data");
        remote = SystemServers.folder(processes, "remote");
    }

    @Override
    public void prepare() {
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
                                .formatted(
                                        SystemServers.folder(processes, "zookeeper"),
                                        ports.get(0),
                                        Ports.HOST));
        serverFile =
                SystemServers.write(
                        processes,
                        "conf/server.yaml",
                        """
                        zookeeper.address: %s:%d
                        data.dir: %s
                        remote.data.dir: %s
                        """
                                .formatted(Ports.HOST, ports.get(0), data, remote));
    }

    @Override
    public void start() {
        run("zookeeper", ZOOKEEPER_HEAP, ZOOKEEPER, List.of(zookeeperFile.toString()));
        run("coordinator", COORDINATOR_HEAP, COORDINATOR, arguments(ports.get(1)));
        List<String> tablet = new ArrayList<>(arguments(ports.get(2)));
        tablet.add("-Dtablet-server.id=0");
        run("tablet", HEAP, TABLET, tablet);
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
        pids.add(processes.server(name, command).pid());
    }

    @Override
    public String address() {
        return Ports.HOST + ":" + ports.get(1);
    }

    @Override
    public List<Long> pids() {
        return List.copyOf(pids);
    }

    @Override
    public List<Path> folders() {
        return List.of(data, remote);
    }
}

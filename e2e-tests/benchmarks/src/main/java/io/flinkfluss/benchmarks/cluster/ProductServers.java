package io.flinkfluss.benchmarks.cluster;

import io.flinkfluss.benchmarks.plan.SystemKind;
import java.nio.file.Path;
import java.util.List;

/** This product: one storage process with its defaults, which sync before they acknowledge. */
final class ProductServers implements SystemServers {
    private static final String MAIN = "io.flinkfluss.storage.server.StorageServer";

    private final Libraries libraries;
    private final Processes processes;
    private final int port = Ports.free(1).get(0);
    private final Path data;
    private List<Long> pids = List.of();

    ProductServers(Libraries libraries, Processes processes) {
        this.libraries = libraries;
        this.processes = processes;
        data = SystemServers.folder(processes, "data");
    }

    @Override
    public void prepare() {}

    @Override
    public void start() {
        JavaCommand java =
                new JavaCommand(
                        HEAP, libraries.jvmFlags(SystemKind.PRODUCT), Logging.servers(processes));
        List<String> command =
                java.run(
                        libraries.serverClassPath(SystemKind.PRODUCT),
                        MAIN,
                        List.of(
                                "--data-dir",
                                data.toString(),
                                "--host",
                                Ports.HOST,
                                "--port",
                                Integer.toString(port)));
        pids = List.of(processes.server("storage", command).pid());
    }

    @Override
    public String address() {
        return Ports.HOST + ":" + port;
    }

    @Override
    public List<Long> pids() {
        return pids;
    }

    @Override
    public List<Path> folders() {
        return List.of(data);
    }
}

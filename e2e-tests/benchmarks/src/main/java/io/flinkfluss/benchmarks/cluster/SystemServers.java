package io.flinkfluss.benchmarks.cluster;

import io.flinkfluss.benchmarks.plan.SystemKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The servers of one system on a fresh folder and free loopback ports. */
public interface SystemServers {
    /** The heap of a process that holds data, and of each driver. */
    String HEAP = "2g";

    /** The heap of each of several processes that hold data. */
    String HEAP_OF_SEVERAL = "1g";

    /** What is done once in the life of a cluster, such as formatting disks; not measured. */
    void prepare();

    /** Starts all processes and returns at once. */
    void start();

    /** Where clients begin: {@code host:port}, several with commas between. */
    String addresses();

    /** SIGKILL to the process that holds the data of a node, which are numbered from 1. */
    void kill(int node);

    List<Long> pids();

    /** Where the lake is, for systems that have one. */
    Path warehouse();

    /** Where data is, the lake aside. */
    List<Path> folders();

    /** Servers that are not started yet, in the folder of the processes. */
    static SystemServers of(
            SystemKind system, Libraries libraries, Processes processes, Layout layout) {
        return switch (system) {
            case PRODUCT -> new ProductServers(libraries, processes, layout);
            case FLUSS -> new FlussServers(libraries, processes, layout);
            case KAFKA -> new KafkaServers(libraries, processes, layout);
        };
    }

    /**
     * What is not the same in all sessions.
     *
     * @param nodes that hold data, and replicas of each table
     * @param options of the servers, by the system's own names
     * @param hasLake whether tables can be copied to Iceberg in the {@link #warehouse}
     */
    record Layout(int nodes, Map<String, String> options, boolean hasLake) {
        public Layout {
            options = Map.copyOf(options);
        }

        /** Those of the servers, and of the lake; their names are the same in all systems. */
        Map<String, String> optionsWithLake(Path warehouse) {
            Map<String, String> all = new TreeMap<>(options);
            if (hasLake) {
                all.put("datalake.format", "iceberg");
                all.put("datalake.iceberg.type", "hadoop");
                all.put("datalake.iceberg.warehouse", warehouse.toString());
            }
            return all;
        }

        String heap() {
            return nodes == 1 ? HEAP : HEAP_OF_SEVERAL;
        }
    }

    /** Writes a file of settings into a session's folder and returns it. */
    static Path write(Processes processes, String name, String content) {
        try {
            Path file = processes.folder().resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates a folder in a session's folder. */
    static Path folder(Processes processes, String name) {
        try {
            return Files.createDirectories(processes.folder().resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

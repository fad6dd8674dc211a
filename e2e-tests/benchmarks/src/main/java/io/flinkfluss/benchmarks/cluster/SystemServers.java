package io.flinkfluss.benchmarks.cluster;

import io.flinkfluss.benchmarks.plan.SystemKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The servers of one system on a fresh folder and free loopback ports. */
public interface SystemServers {
    /** The heap of each process that holds data, and of each driver. */
    String HEAP = "2g";

    /** What is done once in the life of a cluster, such as formatting disks; not measured. */
    void prepare();

    /** Starts all processes and returns at once. */
    void start();

    /** Where clients begin. */
    String address();

    List<Long> pids();

    /** Where data is. */
    List<Path> folders();

    /** Servers that are not started yet, in the folder of the processes. */
    static SystemServers of(SystemKind system, Libraries libraries, Processes processes) {
        return switch (system) {
            case PRODUCT -> new ProductServers(libraries, processes);
            case FLUSS -> new FlussServers(libraries, processes);
            case KAFKA -> new KafkaServers(libraries, processes);
        };
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

package io.flinkfluss.cli.service;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Flink's settings for a cluster of one JobManager and one TaskManager on this machine. A
 * TaskManager that is started without Flink's scripts needs every memory size given.
 */
final class FlinkConfiguration {
    private static final int HEAP_MB = 1024;
    private static final int OFF_HEAP_MB = 384;
    private static final int NETWORK_MB = 192;
    private static final int MANAGED_MB = 384;
    private static final int METASPACE_MB = 384;

    private FlinkConfiguration() {}

    /** Writes the settings of the two processes and returns their folder. */
    static Path writeCluster(StateDirectory state, int webPort, int rpcPort, int slots) {
        Map<String, String> settings = clientSettings(state, webPort);
        settings.put("jobmanager.rpc.address", "localhost");
        settings.put("jobmanager.bind-host", "localhost");
        settings.put("jobmanager.rpc.port", Integer.toString(rpcPort));
        settings.put("jobmanager.memory.process.size", "1024m");
        settings.put("rest.bind-address", "localhost");
        settings.put("rest.bind-port", Integer.toString(webPort));
        settings.put("taskmanager.host", "localhost");
        settings.put("taskmanager.bind-host", "localhost");
        settings.put("taskmanager.numberOfTaskSlots", Integer.toString(slots));
        settings.put("taskmanager.cpu.cores", "2.0");
        settings.put("taskmanager.memory.framework.heap.size", "128m");
        settings.put("taskmanager.memory.task.heap.size", HEAP_MB + "m");
        settings.put("taskmanager.memory.framework.off-heap.size", "128m");
        settings.put("taskmanager.memory.task.off-heap.size", OFF_HEAP_MB + "m");
        settings.put("taskmanager.memory.network.min", NETWORK_MB + "m");
        settings.put("taskmanager.memory.network.max", NETWORK_MB + "m");
        settings.put("taskmanager.memory.managed.size", MANAGED_MB + "m");
        settings.put("taskmanager.memory.jvm-metaspace.size", METASPACE_MB + "m");
        settings.put("taskmanager.memory.jvm-overhead.min", "192m");
        settings.put("taskmanager.memory.jvm-overhead.max", "192m");
        settings.put("restart-strategy.type", "fixed-delay");
        settings.put("restart-strategy.fixed-delay.attempts", "1000");
        settings.put("restart-strategy.fixed-delay.delay", "1s");
        settings.put("web.upload.dir", state.folder("tmp").toString());
        settings.put("classloader.check-leaked-classloader", "false");
        return write(state.folder("conf"), settings);
    }

    /** Writes the settings of programs that submit jobs and returns their folder. */
    static Path writeClient(StateDirectory state, int webPort) {
        return write(state.folder("conf/client"), clientSettings(state, webPort));
    }

    /** What a program that submits jobs to the cluster must know. */
    static Map<String, String> clientSettings(StateDirectory state, int webPort) {
        Map<String, String> settings = new TreeMap<>();
        settings.put("execution.target", "remote");
        settings.put("rest.address", "localhost");
        settings.put("rest.port", Integer.toString(webPort));
        settings.put("parallelism.default", "2");
        settings.put("execution.checkpointing.interval", "2s");
        settings.put("execution.checkpointing.min-pause", "500ms");
        settings.put("execution.checkpointing.dir", state.folder("checkpoints").toUri().toString());
        settings.put("io.tmp.dirs", state.folder("tmp").toString());
        return settings;
    }

    private static Path write(Path folder, Map<String, String> settings) {
        Path file = folder.resolve("config.yaml");
        try {
            Files.writeString(
                    file,
                    settings.entrySet().stream()
                            .map(entry -> entry.getKey() + ": \"" + entry.getValue() + "\"\n")
                            .collect(Collectors.joining()));
        } catch (IOException e) {
            throw new CliException("cannot write " + file + ": " + e, e);
        }
        return folder;
    }

    static String taskManagerHeap() {
        return (128 + HEAP_MB) + "m";
    }

    static String taskManagerDirect() {
        return (128 + OFF_HEAP_MB + NETWORK_MB) + "m";
    }

    static String taskManagerMetaspace() {
        return METASPACE_MB + "m";
    }
}

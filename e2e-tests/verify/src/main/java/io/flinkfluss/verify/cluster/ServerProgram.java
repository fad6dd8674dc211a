package io.flinkfluss.verify.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How to start one storage process.
 *
 * @param classPath of the server
 * @param jvmFlags what the server's libraries need of the JVM
 * @param settings further {@code -D key=value}, each as {@code key=value}
 */
public record ServerProgram(String classPath, List<String> jvmFlags, List<String> settings) {
    private static final String MAIN = "io.flinkfluss.storage.server.StorageServer";

    /** The server's clock adds the milliseconds in this file; for tests only. */
    private static final String CLOCK_OFFSET = "fluss.test.clock-offset-file";

    public ServerProgram {
        jvmFlags = List.copyOf(jvmFlags);
        settings = List.copyOf(settings);
    }

    List<String> command(
            NodeAddress self, List<NodeAddress> all, Path dataDirectory, Path clockOffset) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        // A node lives for seconds here: compiling it for hours of work would only take the cores
        // from the others, and its next start with them.
        command.addAll(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-Xms128m",
                        "-Xmx512m",
                        "-XX:MaxDirectMemorySize=512m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-D" + CLOCK_OFFSET + "=" + clockOffset,
                        "-cp",
                        classPath,
                        MAIN,
                        "--data-dir",
                        dataDirectory.toString(),
                        "--node-id",
                        self.id(),
                        "--host",
                        self.listenHost(),
                        "--port",
                        Integer.toString(self.port())));
        if (all.size() > 1) {
            command.add("--peers");
            command.add(String.join(",", all.stream().map(NodeAddress::asPeer).toList()));
        }
        command.add("-D");
        command.add("advertised.host=" + self.publicHost());
        for (String setting : settings) {
            command.add("-D");
            command.add(setting);
        }
        return command;
    }
}

package io.flinkfluss.benchmarks.cluster;

import java.nio.file.Path;

/** Equal log settings for the processes of all systems. */
final class Logging {
    private Logging() {}

    /** A server's log: what operators run with. */
    static Path servers(Processes processes) {
        return write(processes, "log4j-server.properties", "INFO");
    }

    /** A driver's log: what a client complains about. */
    static Path drivers(Processes processes) {
        return write(processes, "log4j-driver.properties", "WARN");
    }

    private static Path write(Processes processes, String name, String level) {
        return SystemServers.write(
                processes,
                name,
                """
                rootLogger.level = %s
                rootLogger.appenderRef.console.ref = console
                appender.console.type = Console
                appender.console.name = console
                appender.console.target = SYSTEM_ERR
                appender.console.layout.type = PatternLayout
                appender.console.layout.pattern = %%d{ISO8601} %%-5p %%c{1.} [%%t] %%m%%n
                """
                        .formatted(level));
    }
}

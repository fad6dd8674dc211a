package io.flinkfluss.benchmarks.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What the benchmark ran on. */
public record Machine(
        String processor,
        int processors,
        double memoryGibibytes,
        String system,
        String java,
        String fileSystem,
        double loadBefore) {
    private static final double KIBI_PER_GIBI = 1024.0 * 1024;

    /**
     * This machine now.
     *
     * @param folder where the data of all systems is
     */
    public static Machine here(Path folder) {
        String memory = line("/proc/meminfo", "MemTotal").replaceAll("\\D", "");
        return new Machine(
                line("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                memory.isEmpty() ? Double.NaN : Long.parseLong(memory) / KIBI_PER_GIBI,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vendor")
                        + " "
                        + System.getProperty("java.runtime.version"),
                fileSystem(folder),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String fileSystem(Path folder) {
        try {
            return Files.getFileStore(folder).type();
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** What stands behind the colon of the first such line; empty where there is none. */
    private static String line(String file, String beginning) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(beginning))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }
}

package io.flinkfluss.benchmarks.cluster;

import io.flinkfluss.benchmarks.plan.Stage;
import io.flinkfluss.benchmarks.plan.SystemKind;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the jars of all systems are.
 *
 * @param distribution of this product, as bin/fluss builds it
 * @param module the built module of the benchmarks, with the peers' below
 * @param productFlags of this product's JVMs
 * @param archive the class archive of this product's servers, which bin/fluss gives them, too; need
 *     not exist
 */
public record Libraries(Path distribution, Path module, List<String> productFlags, Path archive) {
    private static final String LIBRARIES = "target/lib";
    private static final String CLASSES = "target/classes";
    private static final String ALL = "*";

    public Libraries {
        productFlags = List.copyOf(productFlags);
    }

    String serverClassPath(SystemKind system) {
        return serverFolder(system).resolve(ALL).toString();
    }

    private Path serverFolder(SystemKind system) {
        return switch (system) {
            case PRODUCT -> distribution.resolve("server");
            case FLUSS -> peer(system).resolve("target/server");
            case KAFKA -> peer(system).resolve(LIBRARIES);
        };
    }

    /** A driver's program. */
    public record Driver(String classPath, String main, List<String> flags) {}

    /** The one that does this stage. */
    public Driver driver(SystemKind system, Stage stage) {
        if (stage == Stage.SQL) {
            return new Driver(sqlClassPath(system), sqlMain(system), sqlFlags(system));
        }
        Path home = system == SystemKind.PRODUCT ? module : peer(system);
        return new Driver(
                classPath(home.resolve(CLASSES), home.resolve(LIBRARIES).resolve(ALL)),
                switch (system) {
                    case PRODUCT -> "io.flinkfluss.benchmarks.product.ProductDriver";
                    case FLUSS -> "io.flinkfluss.benchmarks.peers.fluss.FlussDriver";
                    case KAFKA -> "io.flinkfluss.benchmarks.peers.kafka.KafkaDriver";
                },
                jvmFlags(system));
    }

    /** This product's is Flink with the jars that its users put there, and the tiering job. */
    private String sqlClassPath(SystemKind system) {
        if (system == SystemKind.PRODUCT) {
            return classPath(
                    module.resolve("flink").resolve(CLASSES),
                    module.resolve(CLASSES),
                    distribution.resolve("flink/lib").resolve(ALL),
                    distribution.resolve("flink/opt").resolve(ALL));
        }
        Path home = flussInFlink();
        return classPath(
                home.resolve(CLASSES),
                home.resolve(LIBRARIES).resolve(ALL),
                plugins().resolve("iceberg").resolve(ALL));
    }

    private static String sqlMain(SystemKind system) {
        return switch (system) {
            case PRODUCT -> "io.flinkfluss.benchmarks.flink.ProductSql";
            case FLUSS -> "io.flinkfluss.benchmarks.peers.fluss.flink.FlussSql";
            case KAFKA -> throw new IllegalArgumentException("Kafka takes no part in " + Stage.SQL);
        };
    }

    /** Flink wants the same flags, whatever runs in it. */
    private List<String> sqlFlags(SystemKind system) {
        return system == SystemKind.PRODUCT
                ? productFlags
                : productFlags.stream().filter(flag -> flag.startsWith("--add-")).toList();
    }

    private Path flussInFlink() {
        return module.resolve("peers/fluss-flink");
    }

    /** What Apache Fluss's servers look for plugins in. */
    Path plugins() {
        return flussInFlink().resolve("target/plugins");
    }

    private static String classPath(Path... parts) {
        return Arrays.stream(parts)
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Further flags of the system's servers, as {@code bin/fluss start} gives them. */
    List<String> serverFlags(SystemKind system) {
        if (system != SystemKind.PRODUCT) {
            // The others have none: their distributions are started as they come.
            return List.of();
        }
        List<String> flags = new ArrayList<>();
        flags.add("@" + distribution.resolve("server.jvm"));
        if (Files.isRegularFile(archive)) {
            flags.add("-XX:SharedArchiveFile=" + archive);
            flags.add("-Xlog:cds=off");
            flags.add("-Xlog:cds+dynamic=off");
        }
        return flags;
    }

    /** Flags of the system's JVMs, servers and driver. */
    List<String> jvmFlags(SystemKind system) {
        return switch (system) {
            case PRODUCT -> productFlags;
            case FLUSS -> List.of("--add-opens=java.base/java.nio=ALL-UNNAMED");
            case KAFKA -> List.of();
        };
    }

    /**
     * The system's version, from the name of its server's jar.
     *
     * @throws RunFailedException when the jar is missing
     */
    public String version(SystemKind system) {
        String beginning =
                switch (system) {
                    case PRODUCT -> "storage-service-server-";
                    case FLUSS -> "fluss-server-";
                    case KAFKA -> "kafka-clients-";
                };
        return list(serverFolder(system)).stream()
                .map(jar -> jar.getFileName().toString())
                .filter(name -> name.startsWith(beginning) && name.endsWith(".jar"))
                .map(name -> name.substring(beginning.length(), name.length() - ".jar".length()))
                .findFirst()
                .orElseThrow(
                        () ->
                                new RunFailedException(
                                        "there is no "
                                                + beginning
                                                + "*.jar in "
                                                + serverFolder(system)
                                                + "; bin/fluss bench puts it there"));
    }

    private Path peer(SystemKind system) {
        return module.resolve(system == SystemKind.FLUSS ? "peers/fluss" : "peers/kafka");
    }

    private static List<Path> list(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.flinkfluss.cli.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The class paths of the processes that the command starts, as the build laid them out. */
public final class Distribution {
    /** System property with the folder; set by bin/fluss. */
    public static final String DIST_PROPERTY = "fluss.dist";

    /** System property with the JVM's --add-opens flags, as in the root pom; set by bin/fluss. */
    public static final String OPENS_PROPERTY = "fluss.jvm.opens";

    /**
     * System property with the class archive of storage servers; set by bin/fluss if there is one.
     */
    public static final String ARCHIVE_PROPERTY = "fluss.server.archive";

    private final Path root;

    private Distribution(Path root) {
        this.root = root;
    }

    /**
     * @throws CliException when the command was not started by bin/fluss
     */
    public static Distribution current() {
        String dist = System.getProperty(DIST_PROPERTY);
        if (dist == null || !Files.isDirectory(Path.of(dist))) {
            throw new CliException(
                    "the distribution folder is missing (" + dist + "); start with bin/fluss");
        }
        return new Distribution(Path.of(dist));
    }

    /** As a wildcard, because a class archive fits only the class path it was written with. */
    public String serverClassPath() {
        Path folder = root.resolve("server");
        requireJars(folder, list(folder));
        return folder.resolve("*").toString();
    }

    /** Where the build keeps the storage server's classes for JVMs of this version. */
    public Path classArchive() {
        return root.resolve("server-" + System.getProperty("java.version") + ".jsa");
    }

    /** Flags that every storage server gets; those of the JVM's heap are in a file. */
    public List<String> serverFlags() {
        List<String> flags = new ArrayList<>(jvmOpens());
        flags.add("@" + root.resolve("server.jvm"));
        String archive = System.getProperty(ARCHIVE_PROPERTY, "");
        if (!archive.isEmpty()) {
            // A JVM goes on without an archive that does not fit its jars, which needs no warning.
            flags.add("-XX:SharedArchiveFile=" + archive);
            flags.add("-Xlog:cds=off");
            flags.add("-Xlog:cds+dynamic=off");
        }
        return flags;
    }

    public String flinkClassPath() {
        return jars(root.resolve("flink/lib"));
    }

    /**
     * @throws CliException when the build did not produce it
     */
    public Path tieringJar() {
        return list(root.resolve("flink/opt")).stream()
                .filter(jar -> jar.getFileName().toString().startsWith("flink-tiering-job"))
                .findFirst()
                .orElseThrow(
                        () -> new CliException("no tiering job in " + root.resolve("flink/opt")));
    }

    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Flags that every process of ours gets. */
    public static List<String> jvmOpens() {
        String opens = System.getProperty(OPENS_PROPERTY, "").strip();
        return opens.isEmpty() ? List.of() : List.of(opens.split("\\s+"));
    }

    private static String jars(Path folder) {
        List<String> names = new ArrayList<>();
        for (Path jar : list(folder)) {
            names.add(jar.toString());
        }
        requireJars(folder, names);
        return String.join(":", names);
    }

    private static void requireJars(Path folder, List<?> jars) {
        if (jars.isEmpty()) {
            throw new CliException("no jars in " + folder + "; build with bin/fluss build");
        }
    }

    private static List<Path> list(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

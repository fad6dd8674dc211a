package io.flinkfluss.cli.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The one directory that holds everything the command writes: {@code run} (what runs), {@code
 * logs}, {@code conf}, {@code data} (the storage service), {@code warehouse} (the lake), {@code
 * checkpoints}; and, neither made nor deleted here, {@code bench} with the results of {@code
 * bin/fluss bench}.
 */
public record StateDirectory(Path root) {
    private static final String MARKER = ".fluss-state";
    private static final String BENCH_RESULTS = "bench";

    public StateDirectory {
        root = root.toAbsolutePath().normalize();
    }

    /**
     * Makes the directory when it is missing.
     *
     * @throws CliException when it is no state directory of ours and not empty, or not writable
     */
    public StateDirectory open() {
        try {
            Files.createDirectories(root);
            Path marker = root.resolve(MARKER);
            if (!Files.exists(marker)) {
                requireEmpty();
                Files.writeString(marker, "state directory of bin/fluss\n");
            }
            return this;
        } catch (IOException e) {
            throw new CliException("cannot use state directory " + root + ": " + e, e);
        }
    }

    private void requireEmpty() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            if (files.anyMatch(file -> !isBenchResult(file))) {
                throw new CliException(
                        root
                                + " is not empty and was not made by bin/fluss; name another"
                                + " directory with --state-dir");
            }
        }
    }

    private boolean isBenchResult(Path file) {
        return file.startsWith(root.resolve(BENCH_RESULTS));
    }

    /**
     * Deletes everything in it but results of benchmarks; only a directory that {@link #open} made
     * its own.
     */
    public void clear() {
        open();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(root)
                        && !isBenchResult(file)
                        && !file.getFileName().toString().equals(MARKER)) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new CliException("cannot empty state directory " + root + ": " + e, e);
        }
    }

    /** Another state directory inside this one. */
    public StateDirectory nested(String name) {
        return new StateDirectory(root.resolve(name)).open();
    }

    public Path data() {
        return root.resolve("data");
    }

    public Path warehouse() {
        return root.resolve("warehouse");
    }

    /** A folder directly below, made when missing. */
    public Path folder(String name) {
        try {
            return Files.createDirectories(root.resolve(name));
        } catch (IOException e) {
            throw new CliException("cannot make " + root.resolve(name) + ": " + e, e);
        }
    }

    public Path log(String name) {
        return folder("logs").resolve(name + ".log");
    }

    /** Remembers what runs under this name. */
    public void remember(String name, Map<String, String> facts) {
        Properties properties = new Properties();
        properties.putAll(facts);
        Path file = folder("run").resolve(name + ".properties");
        Path next = file.resolveSibling(name + ".properties.new");
        try {
            try (OutputStream out = Files.newOutputStream(next)) {
                properties.store(out, null);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new CliException("cannot write " + file + ": " + e, e);
        }
    }

    public Optional<Properties> recall(String name) {
        Path file = root.resolve("run").resolve(name + ".properties");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Optional.of(properties);
    }

    public void forget(String name) {
        try {
            Files.deleteIfExists(root.resolve("run").resolve(name + ".properties"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

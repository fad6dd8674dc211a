package io.flinkfluss.e2e.cluster;

import io.flinkfluss.storage.api.testkit.FreePorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A storage service in a process of its own, as users run it, that can be killed and started again.
 */
public final class StorageProcess implements AutoCloseable {
    private static final Duration READY = Duration.ofMinutes(2);

    private final Path dataDirectory;
    private final int port;
    private final List<String> settings;
    private Process process;
    private CompletableFuture<String> ready;
    private List<String> javaOptions = List.of();

    /**
     * Starts a process and waits until it serves. Settings are further arguments such as {@code -D
     * key=value}.
     */
    public static StorageProcess start(Path dataDirectory, String... settings) {
        StorageProcess storage = new StorageProcess(dataDirectory, freePort(), List.of(settings));
        storage.start();
        return storage;
    }

    /** One of several; {@link #launch} and {@link #awaitReady} are left to the caller. */
    public static StorageProcess of(Path dataDirectory, int port, List<String> settings) {
        return new StorageProcess(dataDirectory, port, settings);
    }

    private StorageProcess(Path dataDirectory, int port, List<String> settings) {
        this.dataDirectory = dataDirectory;
        this.port = port;
        this.settings = settings;
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    public Path dataDirectory() {
        return dataDirectory;
    }

    public Path log() {
        return dataDirectory.resolveSibling(dataDirectory.getFileName() + ".log");
    }

    /** What the process has used of all processors since it was started. */
    public Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Ends the process as a power cut would: without a chance to write anything. */
    public void kill() {
        process.destroyForcibly();
        await(process, Duration.ofSeconds(10));
    }

    /** Stops the process where it is, with all its connections: SIGSTOP. */
    public void pause() {
        signal("STOP");
    }

    /** Lets a paused process go on as if no time had passed: SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            Process kill =
                    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
            if (!await(kill, Duration.ofSeconds(10)) || kill.exitValue() != 0) {
                throw new IllegalStateException("could not send SIG" + name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the process again on the same folder and port, and waits until it serves. */
    public void start() {
        launch();
        awaitReady();
    }

    /** Options of the Java process from its next start on. */
    public void javaOptions(String... options) {
        javaOptions = List.of(options);
    }

    /** Starts the process and waits until it ends by itself. @return its exit code */
    public int runToItsEnd() {
        launch();
        if (!await(process, READY)) {
            process.destroyForcibly();
            throw new IllegalStateException(
                    "the storage service did not end within " + READY + ":\n" + tail(log()));
        }
        return process.exitValue();
    }

    /** Starts the process, which need not serve yet. */
    public void launch() {
        List<String> options = new ArrayList<>(javaOptions);
        options.addAll(List.of("-Xmx1g", "-XX:MaxDirectMemorySize=512m"));
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--data-dir",
                                dataDirectory.toString(),
                                "--host",
                                "127.0.0.1",
                                "--port",
                                String.valueOf(port)));
        arguments.addAll(settings);
        process =
                java(
                        "io.flinkfluss.storage.server.StorageServer",
                        arguments,
                        log(),
                        options.toArray(String[]::new));
        ready = firstLine(process);
    }

    public void awaitReady() {
        try {
            String line = ready.get(READY.toSeconds(), TimeUnit.SECONDS);
            if (line == null) {
                throw new IllegalStateException(
                        "the storage service ended before it was ready:\n" + tail(log()));
            }
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new IllegalStateException(
                    "the storage service was not ready within " + READY + ":\n" + tail(log()), e);
        }
    }

    /** Stops it as an operator would. */
    @Override
    public void close() {
        process.destroy();
        if (!await(process, Duration.ofSeconds(30))) {
            process.destroyForcibly();
            throw new IllegalStateException(
                    "the storage service did not stop within 30 s:\n" + tail(log()));
        }
    }

    /**
     * Starts a Java process with this test's class path; its standard error goes to {@code log}.
     */
    public static Process java(
            String mainClass, List<String> arguments, Path log, String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.util=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(arguments);
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start();
            // A test that fails before it can close what it started must not leave it behind.
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static int freePort() {
        return FreePorts.next();
    }

    public static boolean await(Process process, Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static CompletableFuture<String> firstLine(Process process) {
        CompletableFuture<String> ready = new CompletableFuture<>();
        Thread reader =
                new Thread(
                        () -> {
                            try (BufferedReader lines =
                                    new BufferedReader(
                                            new InputStreamReader(
                                                    process.getInputStream(),
                                                    StandardCharsets.UTF_8))) {
                                String line = lines.readLine();
                                while (line != null && !line.startsWith("ready on")) {
                                    line = lines.readLine();
                                }
                                ready.complete(line);
                                while (line != null) {
                                    line = lines.readLine();
                                }
                            } catch (IOException e) {
                                ready.completeExceptionally(e);
                            }
                        },
                        "storage-output");
        reader.setDaemon(true);
        reader.start();
        return ready;
    }

    private static String tail(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }
}

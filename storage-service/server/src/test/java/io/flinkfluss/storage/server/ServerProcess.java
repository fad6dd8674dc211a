package io.flinkfluss.storage.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A storage server in its own process, to be killed. */
final class ServerProcess implements AutoCloseable {
    private final Process process;
    private final String firstLine;

    private ServerProcess(Process process, String firstLine) {
        this.process = process;
        this.firstLine = firstLine;
    }

    /** Starts a server and waits for its first line, or for its end. */
    static ServerProcess start(Path errors, String... arguments) throws IOException {
        return start(errors, List.of(), arguments);
    }

    /** The same with flags of the JVM. */
    static ServerProcess start(Path errors, List<String> jvm, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.addAll(
                List.of(
                        "-Xmx512m",
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StorageServer.class.getName()));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                        .start();
        BufferedReader output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        return new ServerProcess(process, output.readLine());
    }

    int port() {
        return Integer.parseInt(firstLine.substring(firstLine.lastIndexOf(':') + 1));
    }

    /** What it printed first; null when it ended without a word. */
    String firstLine() {
        return firstLine;
    }

    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(30, TimeUnit.SECONDS);
    }

    void terminate() {
        process.destroy();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new AssertionError("the server did not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

package io.flinkfluss.verify.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One storage process that is started, killed, stopped and continued. One thread at a time orders
 * it about; any thread may ask.
 */
public final class Node {
    private static final Duration EXIT_PATIENCE = Duration.ofSeconds(20);
    private static final int TAIL_LINES = 15;

    private final NodeAddress address;
    private final List<NodeAddress> all;
    private final ServerProgram program;
    private final Disk disk;
    private final Path log;
    private final Path clockOffset;
    private volatile Process process;
    private volatile CountDownLatch ready = new CountDownLatch(1);
    private volatile boolean paused;
    private volatile boolean wanted;

    Node(
            NodeAddress address,
            List<NodeAddress> all,
            ServerProgram program,
            Disk disk,
            Path folder) {
        this.address = address;
        this.all = List.copyOf(all);
        this.program = program;
        this.disk = disk;
        log = folder.resolve(address.id() + ".log");
        clockOffset = folder.resolve(address.id() + ".clock");
        jumpClock(Duration.ZERO);
    }

    public String id() {
        return address.id();
    }

    public NodeAddress address() {
        return address;
    }

    public Disk disk() {
        return disk;
    }

    public Path log() {
        return log;
    }

    /** Starts the process; does not wait until it serves. */
    public void start() {
        if (isAlive()) {
            throw new IllegalStateException(id() + " runs already");
        }
        CountDownLatch latch = new CountDownLatch(1);
        try {
            Process started =
                    new ProcessBuilder(
                                    program.command(
                                            address, all, disk.dataDirectory(), clockOffset))
                            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start();
            process = started;
            ready = latch;
            paused = false;
            wanted = true;
            Thread reader = new Thread(() -> readOutput(started, latch), "verify-output-" + id());
            reader.setDaemon(true);
            reader.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it served within the time; false also when it ended before. */
    public boolean awaitReady(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            while (System.nanoTime() < deadline) {
                if (ready.await(100, TimeUnit.MILLISECONDS)) {
                    return true;
                }
                if (!isAlive()) {
                    return false;
                }
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    public boolean isReady() {
        return isAlive() && !paused && ready.getCount() == 0;
    }

    public boolean isAlive() {
        Process current = process;
        return current != null && current.isAlive();
    }

    public boolean isPaused() {
        return paused;
    }

    /** Whether it ended although nobody killed it. */
    public boolean endedByItself() {
        return wanted && !isAlive();
    }

    public int exitCode() {
        return process.exitValue();
    }

    public long pid() {
        Process current = process;
        return current == null ? -1 : current.pid();
    }

    /** SIGKILL. */
    public void kill() {
        wanted = false;
        Process current = process;
        if (current == null) {
            return;
        }
        current.destroyForcibly();
        await(current);
    }

    /** SIGTERM, then SIGKILL. */
    public void stop() {
        wanted = false;
        Process current = process;
        if (current == null || !current.isAlive()) {
            return;
        }
        if (paused) {
            resume();
        }
        current.destroy();
        try {
            if (!current.waitFor(EXIT_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            kill();
        }
    }

    /** SIGSTOP. */
    public void pause() {
        Shell.run("kill", "-STOP", Long.toString(pid()));
        paused = true;
    }

    /** SIGCONT. */
    public void resume() {
        Shell.run("kill", "-CONT", Long.toString(pid()));
        paused = false;
    }

    /** Sets how far the server's clock is from the machine's. */
    public void jumpClock(Duration offset) {
        try {
            Path next = clockOffset.resolveSibling(clockOffset.getFileName() + ".new");
            Files.writeString(next, Long.toString(offset.toMillis()));
            Files.move(next, clockOffset, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The last lines of its log. */
    public String logTail() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join(
                    "\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "no log: " + e.getMessage();
        }
    }

    /** Whether its log says this after so many bytes. */
    public boolean logContains(String text, long afterByte) {
        try {
            byte[] bytes = Files.readAllBytes(log);
            int from = (int) Math.min(afterByte, bytes.length);
            return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8)
                    .contains(text);
        } catch (IOException e) {
            return false;
        }
    }

    public long logSize() {
        try {
            return Files.exists(log) ? Files.size(log) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void await(Process ending) {
        try {
            if (!ending.waitFor(EXIT_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        id() + " (pid " + ending.pid() + ") does not end after SIGKILL");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static void readOutput(Process from, CountDownLatch ready) {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(from.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("ready on ")) {
                    ready.countDown();
                }
            }
        } catch (IOException e) {
            // The process ended.
            return;
        }
    }

    @Override
    public String toString() {
        return id();
    }
}

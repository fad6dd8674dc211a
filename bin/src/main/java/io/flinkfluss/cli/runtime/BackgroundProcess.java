package io.flinkfluss.cli.runtime;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * A process that outlives the command. Its pid and start time are remembered in the state
 * directory; a pid that the system gave to another process since is not mistaken for it.
 */
public final class BackgroundProcess {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);
    private static final int TAIL_LINES = 15;

    private final StateDirectory state;
    private final String name;
    private final ProcessHandle handle;
    private final Properties facts;

    private BackgroundProcess(
            StateDirectory state, String name, ProcessHandle handle, Properties facts) {
        this.state = state;
        this.name = name;
        this.handle = handle;
        this.facts = facts;
    }

    /**
     * Starts a process whose standard streams go to {@code logs/NAME.out}.
     *
     * @param facts what to remember with it: ports and the like
     */
    public static BackgroundProcess start(
            StateDirectory state,
            String name,
            List<String> command,
            Map<String, String> environment,
            Map<String, String> facts) {
        Path output = output(state, name);
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(state.root().toFile())
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        try {
            ProcessHandle handle = builder.start().toHandle();
            Map<String, String> all = new HashMap<>(facts);
            all.put("pid", Long.toString(handle.pid()));
            all.put("started", Long.toString(startMillis(handle)));
            state.remember(name, all);
            Properties properties = new Properties();
            properties.putAll(all);
            return new BackgroundProcess(state, name, handle, properties);
        } catch (IOException e) {
            throw new CliException("cannot start " + name + ": " + e.getMessage(), e);
        }
    }

    /** The running process of this name; forgets one that ended. */
    public static Optional<BackgroundProcess> find(StateDirectory state, String name) {
        Optional<Properties> facts = state.recall(name);
        if (facts.isEmpty()) {
            return Optional.empty();
        }
        long pid = Long.parseLong(facts.get().getProperty("pid"));
        long started = Long.parseLong(facts.get().getProperty("started"));
        Optional<ProcessHandle> handle =
                ProcessHandle.of(pid)
                        .filter(ProcessHandle::isAlive)
                        .filter(alive -> startMillis(alive) == started);
        if (handle.isEmpty()) {
            state.forget(name);
            return Optional.empty();
        }
        return Optional.of(new BackgroundProcess(state, name, handle.get(), facts.get()));
    }

    public String name() {
        return name;
    }

    public long pid() {
        return handle.pid();
    }

    public boolean isAlive() {
        return handle.isAlive();
    }

    public Instant startedAt() {
        return Instant.ofEpochMilli(Long.parseLong(facts.getProperty("started")));
    }

    public String fact(String key) {
        return facts.getProperty(key);
    }

    /**
     * Waits until the process is ready.
     *
     * @throws CliException with the end of its output when it ends before, or is not ready in time;
     *     then it is stopped
     */
    public void awaitReady(Deadline deadline, Deadline.Condition ready) {
        while (!ready.holds()) {
            if (!handle.isAlive()) {
                state.forget(name);
                throw new CliException(name + " ended before it was ready; " + lastWords());
            }
            if (deadline.isOver()) {
                stop();
                throw new CliException(
                        name
                                + " was not ready within "
                                + deadline.total().toSeconds()
                                + " s and was stopped; "
                                + lastWords());
            }
            Deadline.pause();
        }
    }

    /** Asks the process to end and waits; one that does not end in time is killed. */
    public void stop() {
        handle.destroy();
        if (!awaitEnd(STOP_PATIENCE)) {
            handle.destroyForcibly();
            if (!awaitEnd(KILL_PATIENCE)) {
                throw new CliException(name + " (pid " + pid() + ") does not end, even killed");
            }
        }
        state.forget(name);
    }

    private boolean awaitEnd(Duration patience) {
        Deadline deadline = Deadline.in(patience);
        while (handle.isAlive()) {
            if (deadline.isOver()) {
                return false;
            }
            Deadline.pause();
        }
        return true;
    }

    /** Whether the process printed this text at the beginning of a line. */
    public boolean printed(String text) {
        return outputLines().stream().anyMatch(line -> line.startsWith(text));
    }

    private String lastWords() {
        List<String> lines = outputLines();
        String tail =
                String.join(
                        "\n  ",
                        lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        return "its log: "
                + state.log(name)
                + (tail.isBlank() ? "" : "\nlast lines of " + output(state, name) + ":\n  " + tail);
    }

    private List<String> outputLines() {
        try {
            return new String(Files.readAllBytes(output(state, name)), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static Path output(StateDirectory state, String name) {
        return state.folder("logs").resolve(name + ".out");
    }

    private static long startMillis(ProcessHandle handle) {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}

package io.flinkfluss.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The processes of one session, each with a log in the session's folder. {@link #close} kills all,
 * whatever happened before, and may be called by any thread.
 */
public final class Processes implements AutoCloseable {
    private static final Duration EXIT_PATIENCE = Duration.ofSeconds(20);
    private static final int TAIL_LINES = 12;

    private final Path folder;
    private final List<Child> children = new ArrayList<>();
    private boolean closed;

    /** A process that was started. */
    private record Child(String name, Process process) {}

    /**
     * @param folder of the session; exists
     */
    public Processes(Path folder) {
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    /** Starts a server, with all that it prints in its log. */
    Process server(String name, List<String> command) {
        return server(name, command, Map.of());
    }

    /** The same with more variables in its environment. */
    Process server(String name, List<String> command, Map<String, String> environment) {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()));
        builder.environment().putAll(environment);
        return start(name, builder);
    }

    /** Starts a process that is talked to; what it prints as errors is in its log. */
    Process partner(String name, List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(log(name).toFile()));
        return start(name, builder);
    }

    /** Runs a program to its end. */
    void program(String name, List<String> command, Duration patience) {
        Process process = server(name, command);
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new RunFailedException(
                        name + " is not done after " + patience.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RunFailedException("interrupted", e);
        }
        if (process.exitValue() != 0) {
            throw new RunFailedException(
                    name + " ended with " + process.exitValue() + ":\n" + tail(name));
        }
    }

    private synchronized Process start(String name, ProcessBuilder builder) {
        if (closed) {
            throw new RunFailedException("the session is over");
        }
        try {
            Process process = builder.start();
            children.add(new Child(name, process));
            return process;
        } catch (IOException e) {
            throw new RunFailedException("cannot start " + name + ": " + e.getMessage(), e);
        }
    }

    /** SIGKILL to a server; its end is expected from now on. */
    void kill(String name) {
        Child child;
        synchronized (this) {
            child =
                    children.stream()
                            .filter(each -> each.name.equals(name))
                            .findFirst()
                            .orElseThrow();
            children.remove(child);
        }
        child.process.destroyForcibly();
        await(child);
    }

    /**
     * Saves what the JVMs that were started with a flight recording have recorded so far.
     *
     * @param beginning of the files' names
     */
    public synchronized void saveRecordings(Path target, String beginning) {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        for (Child child : List.copyOf(children)) {
            if (child.process.isAlive()) {
                Path file = target.resolve(beginning + "-" + child.name + ".jfr").toAbsolutePath();
                program(
                        "jcmd-" + child.name,
                        List.of(
                                jcmd.toString(),
                                Long.toString(child.process.pid()),
                                "JFR.dump",
                                "filename=" + file),
                        EXIT_PATIENCE);
            }
        }
    }

    /** The names of those that ended by themselves, each with the end of its log. */
    public synchronized String ended() {
        StringBuilder text = new StringBuilder();
        for (Child child : children) {
            if (!child.process.isAlive() && child.process.exitValue() != 0) {
                text.append(child.name)
                        .append(" ended with ")
                        .append(child.process.exitValue())
                        .append(":\n")
                        .append(tail(child.name))
                        .append('\n');
            }
        }
        return text.toString();
    }

    private Path log(String name) {
        return folder.resolve(name + ".log");
    }

    private String tail(String name) {
        try {
            List<String> lines = Files.readAllLines(log(name));
            return String.join(
                    "\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        for (Child child : children) {
            child.process.destroyForcibly();
        }
        children.forEach(Processes::await);
        children.clear();
    }

    private static void await(Child child) {
        try {
            if (!child.process.waitFor(EXIT_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(
                        child.name
                                + " (pid "
                                + child.process.pid()
                                + ") does not end after SIGKILL");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

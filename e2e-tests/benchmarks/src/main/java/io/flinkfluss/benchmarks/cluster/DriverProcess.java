package io.flinkfluss.benchmarks.cluster;

import io.flinkfluss.benchmarks.driver.DriverLoop;
import io.flinkfluss.benchmarks.driver.Message;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A driver's process, which is asked one thing after the other. For one thread. */
public final class DriverProcess {
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    private static final Message ENDED = Message.of("ended");

    private final PrintStream requests;
    private final BlockingQueue<Message> answers = new LinkedBlockingQueue<>();

    private DriverProcess(Process process) {
        requests = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread reader = new Thread(() -> read(process.getInputStream()), "benchmark-answers");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts it and returns when it takes requests. */
    public static DriverProcess start(Libraries.Driver program, Processes processes)
            throws InterruptedException {
        JavaCommand java =
                new JavaCommand(SystemServers.HEAP, program.flags(), Logging.drivers(processes));
        List<String> command = java.run(program.classPath(), program.main(), List.of());
        DriverProcess driver = new DriverProcess(processes.partner("driver", command));
        driver.await("ready", "start", START_PATIENCE, answer -> {});
        return driver;
    }

    /**
     * Asks for something and returns when it is done.
     *
     * @param samples takes what the driver tells before
     * @throws RunFailedException when it fails or is not done in time
     */
    public void ask(Message request, Duration patience, Consumer<Message> samples)
            throws InterruptedException {
        requests.println(request.line());
        await("done", request.name(), patience, samples);
    }

    private void await(String last, String what, Duration patience, Consumer<Message> samples)
            throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            Message answer =
                    answers.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (answer == null) {
                throw new RunFailedException(
                        what + " is not done after " + patience.toSeconds() + " s");
            }
            if (answer.name().equals(last)) {
                return;
            }
            if (answer.name().equals("failed")) {
                throw new RunFailedException(what + " failed: " + answer.text("reason"));
            }
            if (answer == ENDED) {
                throw new RunFailedException(what + " failed: the driver's process ended");
            }
            samples.accept(answer);
        }
    }

    private void read(InputStream output) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(DriverLoop.ANSWER)) {
                    answers.add(Message.parse(line.substring(DriverLoop.ANSWER.length())));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            answers.add(Message.of("failed").with("reason", e));
        }
        answers.add(ENDED);
    }
}

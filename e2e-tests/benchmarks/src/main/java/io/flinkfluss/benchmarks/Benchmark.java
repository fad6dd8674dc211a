package io.flinkfluss.benchmarks;

import io.flinkfluss.benchmarks.cluster.Processes;
import io.flinkfluss.benchmarks.cluster.RunFailedException;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.plan.Contender;
import io.flinkfluss.benchmarks.plan.Session;
import io.flinkfluss.benchmarks.report.Outcome;
import io.flinkfluss.benchmarks.report.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.annotation.concurrent.GuardedBy;

/** Runs session after session; whatever happens, no process outlives it. */
final class Benchmark {
    private final BenchSettings settings;
    private final Consumer<String> progress;

    @GuardedBy("this")
    private Processes running;

    @GuardedBy("this")
    private boolean stopped;

    /**
     * @param progress takes a line for the person who waits
     */
    Benchmark(BenchSettings settings, Consumer<String> progress) {
        this.settings = settings;
        this.progress = progress;
    }

    Results run() throws IOException, InterruptedException {
        Thread killer = new Thread(this::kill, "benchmark-kill");
        Runtime.getRuntime().addShutdownHook(killer);
        List<Outcome> outcomes = new ArrayList<>();
        for (Session session : settings.sessions()) {
            outcomes.add(run(session, outcomes.size() + 1));
        }
        Runtime.getRuntime().removeShutdownHook(killer);
        return new Results(outcomes);
    }

    private Outcome run(Session session, int number) throws IOException, InterruptedException {
        Path folder =
                Files.createDirectories(
                        settings.place().resolve("%02d-%s".formatted(number, name(session))));
        progress.accept(
                "%d/%d  round %d  %-7s  %s"
                        .formatted(
                                number,
                                settings.sessions().size(),
                                session.round(),
                                session.stage(),
                                session.contender().title()));
        Outcome outcome;
        try (Processes processes = new Processes(folder)) {
            outcome = run(session, processes);
        }
        if (outcome.failure().isEmpty() && !settings.keep()) {
            delete(folder);
        }
        return outcome;
    }

    private Outcome run(Session session, Processes processes) throws InterruptedException {
        try {
            begin(processes);
            List<Sample> samples =
                    new SessionRun(session, settings.sizes()).run(settings.libraries(), processes);
            if (session.contender() == Contender.PRODUCT) {
                settings.recordings()
                        .ifPresent(
                                target ->
                                        processes.saveRecordings(target, "bench-" + name(session)));
            }
            samples.forEach(sample -> progress.accept("      " + line(sample)));
            return new Outcome(session, samples, Optional.empty());
        } catch (RunFailedException e) {
            String reason = (e.getMessage() + " " + processes.ended()).strip();
            progress.accept("      FAILED: " + reason);
            return new Outcome(session, List.of(), Optional.of(reason));
        }
    }

    private static String line(Sample sample) {
        return "%,14.3f %s  %s"
                .formatted(sample.value(), sample.measure().unit(), sample.measure().title());
    }

    private static String name(Session session) {
        return "%s-%s-%d".formatted(session.stage(), session.contender(), session.round());
    }

    private synchronized void begin(Processes processes) {
        if (stopped) {
            throw new RunFailedException("the benchmark was stopped");
        }
        running = processes;
    }

    /** While the JVM ends; no session begins afterwards. */
    private synchronized void kill() {
        stopped = true;
        if (running != null) {
            running.close();
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}

package io.flinkfluss.cli.service;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.Deadline;
import io.flinkfluss.cli.runtime.Distribution;
import io.flinkfluss.cli.runtime.StateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tiering job, submitted to the local Flink cluster. */
public final class TieringService {
    private static final String NAME = "tiering";
    private static final String CLIENT_MAIN = "org.apache.flink.client.cli.CliFrontend";
    private static final String JOB_MAIN = "io.flinkfluss.flink.tiering.TieringJob";
    private static final Pattern SUBMITTED = Pattern.compile("JobID ([0-9a-f]{32})");
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);

    private final StateDirectory state;

    public TieringService(StateDirectory state) {
        this.state = state;
    }

    /** Id of the job while the cluster runs it. */
    public Optional<String> runningJob() {
        Optional<String> jobId = state.recall(NAME).map(facts -> facts.getProperty("job-id"));
        if (jobId.isEmpty()) {
            return Optional.empty();
        }
        boolean lives =
                new LocalFlink(state)
                        .jobManager()
                        .map(process -> new FlinkRest(webPort(process.fact("web-port"))))
                        .flatMap(rest -> rest.jobState(jobId.get()))
                        .filter(TieringService::isLive)
                        .isPresent();
        if (!lives) {
            state.forget(NAME);
            return Optional.empty();
        }
        return jobId;
    }

    /**
     * Submits the job and waits until it runs.
     *
     * @return the job's id
     */
    public String start(String address) {
        runningJob()
                .ifPresent(
                        job -> {
                            throw new CliException(
                                    "the tiering job already runs ("
                                            + job
                                            + "); stop it with: bin/fluss tiering stop");
                        });
        FlinkRest rest = new FlinkRest(new LocalFlink(state).requireWebPort());
        String jobId = submit(address);
        state.remember(NAME, Map.of("job-id", jobId));
        Deadline.in(START_PATIENCE)
                .await(
                        "the start of the tiering job " + jobId,
                        () -> rest.jobState(jobId).filter("RUNNING"::equals).isPresent());
        return jobId;
    }

    /** Cancels the job and waits until it ended; returns false when none ran. */
    public boolean stop() {
        Optional<String> jobId = runningJob();
        if (jobId.isEmpty()) {
            return false;
        }
        FlinkRest rest = new FlinkRest(new LocalFlink(state).requireWebPort());
        rest.cancel(jobId.get());
        Deadline.in(STOP_PATIENCE)
                .await(
                        "the end of the tiering job " + jobId.get(),
                        () -> rest.jobState(jobId.get()).filter(TieringService::isLive).isEmpty());
        state.forget(NAME);
        return true;
    }

    private String submit(String address) {
        ProcessBuilder builder =
                FlinkProgram.of(
                        state,
                        "tiering-submit",
                        CLIENT_MAIN,
                        List.of(
                                "run",
                                "-d",
                                "-c",
                                JOB_MAIN,
                                Distribution.current().tieringJar().toString(),
                                "--fluss.bootstrap.servers",
                                address,
                                "--tiering.poll.table.interval",
                                "1s"));
        Path output = state.folder("logs").resolve("tiering-submit.out");
        try {
            Process process =
                    builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
            if (!process.waitFor(START_PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new CliException(
                        "Flink did not accept the tiering job within "
                                + START_PATIENCE.toSeconds()
                                + " s; its log: "
                                + state.log("tiering-submit"));
            }
            String text = Files.readString(output);
            Matcher matcher = SUBMITTED.matcher(text);
            if (process.exitValue() != 0 || !matcher.find()) {
                throw new CliException(
                        "Flink refused the tiering job (its log: "
                                + state.log("tiering-submit")
                                + "):\n"
                                + text);
            }
            return matcher.group(1);
        } catch (IOException e) {
            throw new CliException("cannot submit the tiering job: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException("interrupted while submitting the tiering job", e);
        }
    }

    private static int webPort(String text) {
        return Integer.parseInt(text);
    }

    private static boolean isLive(String jobState) {
        return !List.of("FAILED", "CANCELED", "FINISHED").contains(jobState);
    }
}

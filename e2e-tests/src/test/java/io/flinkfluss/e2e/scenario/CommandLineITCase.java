package io.flinkfluss.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.StorageProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command a person types, on the distribution that this build made: real processes, the one
 * jar, the whole story. Slow for that reason.
 */
@Timeout(value = 12, unit = TimeUnit.MINUTES)
final class CommandLineITCase {
    private static final Path FLUSS = Path.of("..", "bin", "fluss");

    @TempDir Path folder;

    @Test
    void theQuickstartHoldsAllItsChecksAndLeavesNothingRunning() throws Exception {
        Outcome story = fluss("quickstart");

        assertThat(story.exit()).as(story.output()).isZero();
        assertThat(story.output()).contains("checks held");
        assertThat(runningWith(folder)).isEmpty();
    }

    @Test
    void theStorageServiceIsStartedSeenAndStopped() throws Exception {
        String port = String.valueOf(StorageProcess.freePort());
        try {
            Outcome start = fluss("start", "--port", port);
            assertThat(start.exit()).as(start.output()).isZero();
            Outcome status = fluss("status", "--json");
            assertThat(status.exit()).as(status.output()).isZero();
            assertThat(status.output()).contains(port);
            Outcome again = fluss("start", "--port", port);
            assertThat(again.output()).containsIgnoringCase("already");
        } finally {
            Outcome stop = fluss("stop");
            assertThat(stop.exit()).as(stop.output()).isZero();
        }
        assertThat(runningWith(folder)).isEmpty();
    }

    @Test
    void anUnknownVerbIsRefusedWithHelp() throws Exception {
        Outcome outcome = fluss("strat");

        assertThat(outcome.exit()).isNotZero();
        assertThat(outcome.output()).contains("strat").contains("start");
    }

    private record Outcome(int exit, String output) {}

    private Outcome fluss(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(FLUSS.toAbsolutePath().normalize().toString()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().put("FLUSS_NO_BUILD", "1");
        builder.environment().put("FLUSS_STATE_DIR", folder.resolve("state").toString());
        Process process = builder.start();
        boolean ended = StorageProcess.await(process, Duration.ofMinutes(10));
        if (!ended) {
            process.destroy();
        }
        String text = Files.readString(output);
        assertThat(ended).as("the command ends; it printed:\n" + text).isTrue();
        return new Outcome(process.exitValue(), text);
    }

    /** Command lines of running processes that mention this folder. */
    private static List<String> runningWith(Path folder) throws IOException {
        try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
            return processes
                    .filter(ProcessHandle::isAlive)
                    .filter(process -> process.pid() != ProcessHandle.current().pid())
                    .map(process -> process.info().commandLine().orElse(""))
                    .filter(line -> line.contains(folder.toString()))
                    .toList();
        }
    }
}

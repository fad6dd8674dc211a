package io.flinkfluss.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.FlussProgram;
import io.flinkfluss.e2e.cluster.StorageProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
    @TempDir Path folder;

    @Test
    void theQuickstartHoldsAllItsChecksAndLeavesNothingRunning() throws Exception {
        FlussProgram.Outcome story = fluss("quickstart");

        assertThat(story.exit()).as(story.output()).isZero();
        assertThat(story.output()).contains("checks held");
        assertThat(runningWith(folder)).isEmpty();
    }

    @Test
    void theStorageServiceIsStartedSeenAndStopped() throws Exception {
        String port = String.valueOf(StorageProcess.freePort());
        try {
            FlussProgram.Outcome start = fluss("start", "--port", port);
            assertThat(start.exit()).as(start.output()).isZero();
            FlussProgram.Outcome status = fluss("status", "--json");
            assertThat(status.exit()).as(status.output()).isZero();
            assertThat(status.output()).contains(port);
            FlussProgram.Outcome again = fluss("start", "--port", port);
            assertThat(again.output()).containsIgnoringCase("already");
        } finally {
            FlussProgram.Outcome stop = fluss("stop");
            assertThat(stop.exit()).as(stop.output()).isZero();
        }
        assertThat(runningWith(folder)).isEmpty();
    }

    @Test
    void anUnknownVerbIsRefusedWithHelp() throws Exception {
        FlussProgram.Outcome outcome = fluss("strat");

        assertThat(outcome.exit()).isNotZero();
        assertThat(outcome.output()).contains("strat").contains("start");
    }

    private FlussProgram.Outcome fluss(String... arguments) throws IOException {
        return new FlussProgram(folder, Duration.ofMinutes(10)).run(arguments);
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

package io.flinkfluss.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.StorageProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The proof that anyone can run, in short: three processes, a handful of faults, every check. The
 * long runs with many seeds are done by hand (docs/howto/verify-storage.md).
 */
@Timeout(value = 12, unit = TimeUnit.MINUTES)
final class VerifyITCase {
    private static final Path FLUSS = Path.of("..", "bin", "fluss");

    @TempDir Path folder;

    @Test
    void aClusterLosesNothingWhileNodesFail() throws Exception {
        Outcome outcome =
                fluss(
                        "verify",
                        "--scenario",
                        "storage",
                        "--nodes",
                        "3",
                        "--seconds",
                        "40",
                        "--seed",
                        "7",
                        "--folder",
                        folder.resolve("data").toString());

        assertThat(outcome.exit()).as(outcome.output()).isZero();
        assertThat(lastLine(outcome))
                .matches(
                        "RESULT acknowledged=[1-9]\\d+ lost=0 duplicated=0 reordered=0 stale=0"
                                + " faults=[1-9]\\d* other=0 .*");
    }

    @Test
    void aWrongCommandLineIsRefusedWithWhatIsAllowed() throws Exception {
        Outcome outcome = fluss("verify", "--nodes", "2");

        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.output()).contains("--nodes 2").contains("1, 3, 5 or 7");
    }

    private record Outcome(int exit, String output) {}

    private static String lastLine(Outcome outcome) {
        return outcome.output().strip().lines().reduce((first, second) -> second).orElse("");
    }

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
        Process process = builder.start();
        if (!StorageProcess.await(process, Duration.ofMinutes(11))) {
            process.destroy();
            assertThat(StorageProcess.await(process, Duration.ofSeconds(30))).isTrue();
        }
        return new Outcome(process.exitValue(), Files.readString(output));
    }
}

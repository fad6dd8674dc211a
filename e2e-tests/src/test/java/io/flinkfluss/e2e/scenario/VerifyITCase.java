package io.flinkfluss.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.FlussProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
    @TempDir Path folder;

    @Test
    void aClusterLosesNothingWhileNodesFail() throws Exception {
        FlussProgram.Outcome outcome =
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
        assertThat(outcome.lastLine())
                .matches(
                        "RESULT acknowledged=[1-9]\\d+ lost=0 duplicated=0 reordered=0 stale=0"
                                + " faults=[1-9]\\d* other=0 .*");
    }

    @Test
    void aWrongCommandLineIsRefusedWithWhatIsAllowed() throws Exception {
        FlussProgram.Outcome outcome = fluss("verify", "--nodes", "2");

        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.output()).contains("--nodes 2").contains("1, 3, 5 or 7");
    }

    private FlussProgram.Outcome fluss(String... arguments) throws IOException {
        return new FlussProgram(folder, Duration.ofMinutes(11)).run(arguments);
    }
}

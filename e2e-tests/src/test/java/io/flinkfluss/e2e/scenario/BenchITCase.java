package io.flinkfluss.e2e.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.FlussProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The benchmark in short and without its peers, which a normal build does not fetch: it runs to its
 * end, its checks hold, and it leaves results and nothing else. No figure is judged.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class BenchITCase {
    @TempDir Path folder;

    @Test
    void aWorkloadRunsAndIsReported() throws Exception {
        Path data = folder.resolve("data");
        Path results = folder.resolve("results");

        FlussProgram.Outcome outcome =
                fluss(
                        "bench",
                        "--quick",
                        "--peers",
                        "none",
                        "--workloads",
                        "w5",
                        "--runs",
                        "1",
                        "--seed",
                        "3",
                        "--folder",
                        data.toString(),
                        "--results",
                        results.toString());

        assertThat(outcome.exit()).as(outcome.output()).isZero();
        assertThat(outcome.output())
                .contains("--workloads w5 --peers none --runs 1 --seed 3")
                .contains("| W5 | end to end at 1,000 rows/s, p99, ms |");
        assertThat(data).doesNotExist();
        try (Stream<Path> files = Files.list(results)) {
            assertThat(files.map(Path::toString)).hasSize(2).anyMatch(f -> f.endsWith(".json"));
        }
    }

    @Test
    void whatCannotRunIsRefusedWithWhatCan() throws Exception {
        assertThat(fluss("bench", "--workloads", "W99").output()).contains("W99").contains("W2P");
        assertThat(fluss("bench", "--workloads", "W99").exit()).isEqualTo(2);
        assertThat(fluss("bench", "--runs", "0").output()).contains("1 or more, not 0");
    }

    private FlussProgram.Outcome fluss(String... arguments) throws IOException {
        return new FlussProgram(folder, Duration.ofMinutes(4)).run(arguments);
    }
}

package io.flinkfluss.cli.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.cli.runtime.CliException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightFilesTest {
    @TempDir Path folder;

    @Test
    void theSampleHasAtLeastAHundredThousandFlightsInTimeOrder() throws IOException {
        FlightFiles files = FlightFiles.prepare(folder, null, rows -> {});

        assertThat(files.released().rows()).isZero();
        files.release(files.waiting());

        List<String> times = new ArrayList<>();
        for (String line : lines(files.incoming())) {
            times.add(line.substring(0, "yyyy-MM-dd HH:mm:ss".length()));
        }
        assertThat(times).hasSizeGreaterThanOrEqualTo(100_000).isSorted();
        assertThat(files.released().rows()).isEqualTo(times.size());
        assertThat(files.released().byMonth().values().stream().mapToLong(n -> n).sum())
                .isEqualTo(times.size());
    }

    @Test
    void filesAreReleasedOneAfterAnother() throws IOException {
        FlightFiles files = FlightFiles.prepare(folder, null, rows -> {});
        int all = files.waiting();

        files.release(2);

        assertThat(files.waiting()).isEqualTo(all - 2);
        assertThat(lines(files.incoming())).hasSize((int) files.released().rows());
    }

    @Test
    void airportsHaveNoHeaderLine() throws IOException {
        Path file = folder.resolve("airports.csv");

        int count = FlightFiles.prepareAirports(file);

        assertThat(count).isEqualTo(3376);
        assertThat(Files.readAllLines(file)).hasSize(count).first().asString().startsWith("00M,");
    }

    @Test
    void aMissingFileIsNamed() {
        Path missing = folder.resolve("none.parquet");

        assertThatThrownBy(() -> FlightFiles.prepare(folder, missing, rows -> {}))
                .isInstanceOf(CliException.class)
                .hasMessageContaining(missing.toString());
    }

    @Test
    void aFileThatIsNoParquetIsRefused() throws IOException {
        Path text = Files.writeString(folder.resolve("x.parquet"), "no parquet at all");

        assertThatThrownBy(() -> FlightFiles.prepare(folder, text, rows -> {}))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("cannot prepare the flights");
    }

    private static List<String> lines(Path incoming) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(incoming)) {
            for (Path file : files.sorted().toList()) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }
}

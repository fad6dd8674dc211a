package io.flinkfluss.cli.data;

import io.flinkfluss.cli.runtime.CliException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;

/**
 * The flights as CSV files in time order, without a header, that can be handed out one after
 * another: {@link #release} moves the next ones into the folder that a Flink job watches.
 */
public final class FlightFiles {
    private static final String SAMPLE = "/data/flights-2001-sample.csv.gz";
    private static final String AIRPORTS = "/data/airports.csv";
    private static final int SAMPLE_ROWS_PER_FILE = 10_000;
    private static final int FULL_ROWS_PER_FILE = 200_000;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final Path incoming;
    private final List<PreparedFile> waiting = new ArrayList<>();
    private final FlightTotals released = new FlightTotals();

    private FlightFiles(Path incoming) {
        this.incoming = incoming;
    }

    /**
     * Writes the files; none is released yet.
     *
     * @param parquetOrNull the original Parquet file; null for the sample that comes with the
     *     command
     * @param progress is told the number of rows now and then
     */
    public static FlightFiles prepare(Path folder, Path parquetOrNull, LongConsumer progress) {
        if (parquetOrNull != null && !Files.isReadable(parquetOrNull)) {
            throw new CliException("cannot read " + parquetOrNull.toAbsolutePath());
        }
        try {
            FlightFiles files =
                    new FlightFiles(Files.createDirectories(folder.resolve("incoming")));
            Path staging = Files.createDirectories(folder.resolve("waiting"));
            try (Splitter splitter = files.new Splitter(staging, parquetOrNull == null, progress)) {
                if (parquetOrNull == null) {
                    readSample(splitter);
                } else {
                    FlightsParquet.read(parquetOrNull, splitter);
                }
            }
            return files;
        } catch (IOException | RuntimeException e) {
            // the Parquet library reports damaged files as plain runtime exceptions
            throw new CliException("cannot prepare the flights: " + e.getMessage(), e);
        }
    }

    /** Writes the airports without their header line; returns how many. */
    public static int prepareAirports(Path file) {
        try (BufferedReader reader = reader(FlightFiles.class.getResourceAsStream(AIRPORTS))) {
            List<String> lines = reader.lines().skip(1).toList();
            Files.createDirectories(file.getParent());
            Files.write(file, lines);
            return lines.size();
        } catch (IOException e) {
            throw new CliException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** The folder that released files appear in. */
    public Path incoming() {
        return incoming;
    }

    public int waiting() {
        return waiting.size();
    }

    /** Lets the next files appear in {@link #incoming}. */
    public void release(int count) {
        for (int i = 0; i < count; i++) {
            PreparedFile next = waiting.remove(0);
            try {
                Files.move(
                        next.file(),
                        incoming.resolve(next.file().getFileName()),
                        StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new CliException("cannot release " + next.file() + ": " + e.getMessage(), e);
            }
            released.add(next.totals());
        }
    }

    /** What all released flights add up to. */
    public FlightTotals released() {
        return released;
    }

    private static void readSample(Consumer<Flight> consumer) throws IOException {
        InputStream resource = FlightFiles.class.getResourceAsStream(SAMPLE);
        try (BufferedReader reader = reader(new GZIPInputStream(resource))) {
            reader.lines().skip(1).map(FlightFiles::parse).forEach(consumer);
        }
    }

    private static Flight parse(String line) {
        String[] fields = line.split(",", -1);
        long seconds = LocalDateTime.parse(fields[0], TIME).toEpochSecond(ZoneOffset.UTC);
        return new Flight(
                seconds * 1_000_000,
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                fields[3],
                fields[4]);
    }

    private static BufferedReader reader(InputStream in) {
        return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    }

    private record PreparedFile(Path file, FlightTotals totals) {}

    /** Cuts the stream of flights into files. */
    private final class Splitter implements Consumer<Flight>, AutoCloseable {
        private final Path folder;
        private final int rowsPerFile;
        private final LongConsumer progress;
        private BufferedWriter writer;
        private FlightTotals totals = new FlightTotals();
        private long rows;

        Splitter(Path folder, boolean sample, LongConsumer progress) {
            this.folder = folder;
            this.rowsPerFile = sample ? SAMPLE_ROWS_PER_FILE : FULL_ROWS_PER_FILE;
            this.progress = progress;
        }

        @Override
        public void accept(Flight flight) {
            try {
                if (writer == null) {
                    writer = Files.newBufferedWriter(current());
                }
                String line = flight.toCsv();
                writer.write(line);
                writer.write('\n');
                totals.add(line.substring(0, "yyyy-MM".length()), flight);
                rows++;
                if (totals.rows() == rowsPerFile) {
                    finish();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private Path current() {
            return folder.resolve(String.format("flights-%03d.csv", waiting.size()));
        }

        private void finish() throws IOException {
            writer.close();
            writer = null;
            Path file = current();
            waiting.add(new PreparedFile(file, totals));
            totals = new FlightTotals();
            progress.accept(rows);
        }

        @Override
        public void close() throws IOException {
            if (writer != null) {
                finish();
            }
        }
    }
}

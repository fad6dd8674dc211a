package io.flinkfluss.storage.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.server.log.Folders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.arrow.flight.FlightClient.ClientStreamListener;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.SyncPutListener;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real server that gives up rows, copies segments and gives up local copies all the time, killed
 * again and again at random moments.
 */
class RetentionKillTest {
    private static final int ROWS = 10;
    private static final int BATCHES = 3_000;
    private static final int ROUNDS = 3;
    private static final int SEGMENT_BYTES = 16 * 1024;
    private static final int MOST_BYTES = 300_000;
    private static final long SEED = 7;

    @TempDir Path folder;

    @Test
    void nothingThatMustBeThereIsMissingWhenTheServerIsKilledWhileItGivesUpRows() throws Exception {
        Random random = new Random(SEED);
        long acknowledged = 0;
        long earlierStart = 0;
        for (int round = 0; round <= ROUNDS; round++) {
            try (ServerProcess server = start();
                    StockFlight flight = new StockFlight(server.port())) {
                if (round == 0) {
                    flight.createTable(
                            "events",
                            Map.of(
                                    "table.log.max-bytes",
                                    Integer.toString(MOST_BYTES),
                                    "table.log.tiered.local-segments",
                                    "1"));
                }
                List<Long> found = read(flight);
                long start = found.isEmpty() ? 0 : found.get(0);
                assertThat(found)
                        .as("rows after round " + round)
                        .isEqualTo(LongStream.range(start, start + found.size()).boxed().toList());
                assertThat(start).isGreaterThanOrEqualTo(earlierStart);
                assertThat(start + found.size()).isGreaterThanOrEqualTo(acknowledged);
                earlierStart = start;
                if (round < ROUNDS) {
                    acknowledged =
                            start
                                    + found.size()
                                    + ROWS
                                            * appendUntilKilled(
                                                    flight,
                                                    server,
                                                    start + found.size(),
                                                    500 + random.nextInt(2_000));
                } else {
                    awaitFewObjects();
                }
            }
        }
        assertThat(earlierStart).as("rows were given up").isPositive();
        assertThat(objects()).as("segments were copied").isPositive();
    }

    /** Reads all rows; anew when the earliest were given up between asking and reading. */
    private static List<Long> read(StockFlight flight) throws Exception {
        for (int attempt = 0; ; attempt++) {
            try {
                return flight.ids("events");
            } catch (FlightRuntimeException moved) {
                if (attempt == 20 || !moved.getMessage().contains("deleted by retention")) {
                    throw moved;
                }
            }
        }
    }

    /** Returns how many batches were acknowledged. */
    private static int appendUntilKilled(
            StockFlight flight, ServerProcess server, long firstId, int killAfter)
            throws Exception {
        int acknowledged = 0;
        try (VectorSchemaRoot root = flight.newRoot();
                SyncPutListener answers = new SyncPutListener()) {
            ClientStreamListener put =
                    flight.client.startPut(
                            FlightDescriptor.path("fluss", "events", "0"), root, answers);
            for (int i = 0; i < BATCHES; i++) {
                StockFlight.fill(root, firstId + (long) i * ROWS, ROWS);
                put.putNext();
            }
            while (acknowledged < BATCHES) {
                try (PutResult answer = answers.poll(30, TimeUnit.SECONDS)) {
                    if (answer == null) {
                        break;
                    }
                    acknowledged++;
                }
                if (acknowledged == killAfter) {
                    server.kill();
                }
            }
        } catch (FlightRuntimeException | ExecutionException killed) {
            // The stream broke, as it must.
        }
        return acknowledged;
    }

    /** Objects of crashed uploads and of given up rows vanish by themselves. */
    private void awaitFewObjects() throws Exception {
        long allowed = MOST_BYTES / SEGMENT_BYTES + 4;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (objects() > allowed) {
            assertThat(System.nanoTime()).as(objects() + " objects").isLessThan(deadline);
            TimeUnit.MILLISECONDS.timedJoin(Thread.currentThread(), 50);
        }
    }

    private long objects() throws IOException {
        return Folders.filesBelow(folder.resolve("remote")).size();
    }

    private ServerProcess start() throws Exception {
        ServerProcess server =
                ServerProcess.start(
                        folder.resolve("errors"),
                        "--data-dir",
                        folder.resolve("data").toString(),
                        "--port",
                        "0",
                        "--shards",
                        "1",
                        "-Ddisk.write-limit-ratio=1.0",
                        "-Dlog.segment.file-size=" + SEGMENT_BYTES,
                        "-Dlog.retention.reader-patience=200 ms",
                        "-Dremote.data.dir=" + folder.resolve("remote"),
                        "-Dremote.log.task-interval-duration=20 ms",
                        "-Dremote.log.task-max-upload-segments=50",
                        "-Dremote.log.delete-grace=1 s",
                        "-Dcheckpoint.bytes=100000",
                        "-Dcheckpoint.age-seconds=1");
        assertThat(server.firstLine()).startsWith("ready on 127.0.0.1:");
        return server;
    }
}

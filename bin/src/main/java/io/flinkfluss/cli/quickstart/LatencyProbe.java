package io.flinkfluss.cli.quickstart;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.cli.runtime.Stopwatch;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.write.TableWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * Measures the time from handing a row to the client's writer until a reader of the same table has
 * it, one row at a time, while the story's jobs run.
 */
final class LatencyProbe {
    private static final int WARM_UP = 50;
    private static final int ROWS = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private LatencyProbe() {}

    /** Percentiles in milliseconds. */
    record Latency(double p50, double p99, int rows) {}

    /**
     * @param table a log table of one bucket with one BIGINT column
     */
    static Latency measure(FlussClient client, String table) {
        TableInfo info = client.admin().table(new TablePath("fluss", table));
        long[] nanos = new long[ROWS];
        try (TableWriter writer = client.writer(info);
                Batches<LogBatch> tail =
                        client.logReader()
                                .scan(
                                        new ScanRequest(
                                                info.buckets().get(0),
                                                0,
                                                ScanRequest.UNBOUNDED,
                                                null))) {
            for (int i = -WARM_UP; i < ROWS; i++) {
                long start = Stopwatch.nowNanos();
                writer.append(GenericRow.of((long) i));
                awaitRow(tail, i + WARM_UP);
                if (i >= 0) {
                    nanos[i] = Stopwatch.nowNanos() - start;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException("interrupted while measuring latency", e);
        }
        Arrays.sort(nanos);
        return new Latency(millis(nanos, 0.50), millis(nanos, 0.99), ROWS);
    }

    private static void awaitRow(Batches<LogBatch> tail, long offset) throws InterruptedException {
        Optional<LogBatch> batch = tail.poll(PATIENCE);
        while (batch.isPresent() && batch.get().nextOffset() <= offset) {
            batch = tail.poll(PATIENCE);
        }
        if (batch.isEmpty()) {
            throw new CliException(
                    "the row at offset "
                            + offset
                            + " was not seen within "
                            + PATIENCE.toSeconds()
                            + " s");
        }
    }

    private static double millis(long[] sorted, double quantile) {
        return sorted[(int) Math.min(sorted.length - 1, (long) (sorted.length * quantile))] / 1e6;
    }
}

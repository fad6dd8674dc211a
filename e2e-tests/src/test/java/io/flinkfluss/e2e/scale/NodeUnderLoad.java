package io.flinkfluss.e2e.scale;

import io.flinkfluss.e2e.cluster.StorageProcess;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** One real node, its client, and what its metrics say. */
final class NodeUnderLoad implements AutoCloseable {
    private static final double MIB = 1 << 20;
    private static final int CHECKPOINT_SECONDS = 600;
    private static final List<String> SHARDS = List.of("shard-0", "shard-1");

    private final int metricsPort = StorageProcess.freePort();
    private final StorageProcess process;
    private FlussClient client;

    /**
     * @param folder created when it does not exist
     */
    NodeUnderLoad(Path folder) {
        create(folder);
        long begun = System.nanoTime();
        process =
                StorageProcess.start(
                        folder, "-Dmetrics.port=" + metricsPort, "-Ddisk.write-limit-ratio=0.99");
        sayReady("empty node ready", begun);
        client = connect();
    }

    private static void create(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + folder, e);
        }
    }

    FlussClient client() {
        return client;
    }

    String address() {
        return process.address();
    }

    /** Kills the process, starts it again and says how long that took. */
    void killAndRestart() {
        client.close();
        process.kill();
        long begun = System.nanoTime();
        process.start();
        sayReady("ready again after kill -9", begun);
        client = connect();
    }

    /** The processor time tells more than the time where others use the machine, too. */
    private void sayReady(String what, long begun) {
        System.out.printf(
                Locale.ROOT,
                "%s in %.1f s, of which it had a processor for %.1f s%n",
                what,
                seconds(begun),
                process.processorTime().toMillis() / 1000.0);
    }

    /** Waits until every shard has made a checkpoint since the node was started. */
    void awaitCheckpoints() throws InterruptedException {
        long begun = System.nanoTime();
        while (!hasCheckpoints(metrics())) {
            if (seconds(begun) > CHECKPOINT_SECONDS) {
                throw new IllegalStateException(
                        "no checkpoint of every shard within " + CHECKPOINT_SECONDS + " s");
            }
            TimeUnit.SECONDS.sleep(1);
        }
        System.out.printf(
                Locale.ROOT, "every shard has a checkpoint after %.0f s more%n", seconds(begun));
    }

    private static boolean hasCheckpoints(String metrics) {
        return SHARDS.stream()
                .allMatch(
                        group -> {
                            double made = ofGroup(metrics, "checkpoints_total", group);
                            // One for each core: there may be a single shard.
                            return Double.isNaN(made) || made > 0;
                        });
    }

    private FlussClient connect() {
        return FlussClient.connect(
                ClientConfig.of(process.address())
                        .withConnectTimeout(Duration.ofMinutes(1))
                        .withRequestTimeout(Duration.ofMinutes(2))
                        .withDeliveryTimeout(Duration.ofMinutes(5)));
    }

    /** Prints memory and open files. */
    void describe(String when) {
        long begun = System.nanoTime();
        String metrics = metrics();
        System.out.printf(
                Locale.ROOT,
                "  (metrics: %d kB in %.0f ms)%n",
                metrics.length() / 1024,
                seconds(begun) * 1000);
        System.out.printf(
                Locale.ROOT,
                "%s: resident %.0f MiB, heap used %.0f MiB, direct %.0f MiB, open files %.0f,"
                        + " bucket logs %.0f MiB in %.0f segments, key-value files %.0f MiB%n",
                when,
                value(metrics, "process_resident_memory_bytes") / MIB,
                value(metrics, "jvm_memory_used_bytes{area=\"heap\"}") / MIB,
                value(metrics, "fluss_tabletserver_directMemoryUsed{pool=\"jdk\"}") / MIB,
                value(metrics, "process_open_fds"),
                value(metrics, "fluss_tabletserver_logSize") / MIB,
                value(metrics, "fluss_tabletserver_numSegments"),
                value(metrics, "fluss_tabletserver_kvSize") / MIB);
        for (String group : SHARDS) {
            System.out.printf(
                    Locale.ROOT,
                    "  %s: last checkpoint took %.0f ms, %.0f made, %.1f MiB since, fsync p99 %.1f"
                            + " ms%n",
                    group,
                    ofGroup(metrics, "checkpointTimeMs", group),
                    ofGroup(metrics, "checkpoints_total", group),
                    ofGroup(metrics, "bytesSinceCheckpoint", group) / MIB,
                    value(
                            metrics,
                            "fluss_tabletserver_group_logFlushLatencyMs{group=\""
                                    + group
                                    + "\",quantile=\"0.99\"}"));
        }
    }

    private static double ofGroup(String metrics, String name, String group) {
        return value(metrics, "fluss_tabletserver_group_" + name + "{group=\"" + group + "\"}");
    }

    private String metrics() {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(
                                    URI.create("http://127.0.0.1:" + metricsPort + "/metrics"))
                            .timeout(Duration.ofSeconds(30))
                            .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (Exception failure) {
            throw new IllegalStateException("no metrics", failure);
        }
    }

    private static double value(String metrics, String series) {
        return metrics.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    static double seconds(long begunNanos) {
        return (System.nanoTime() - begunNanos) / 1e9;
    }

    @Override
    public void close() {
        client.close();
        process.close();
    }
}

package io.flinkfluss.e2e.scale;

import io.flinkfluss.e2e.cluster.StorageProcess;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.write.TableWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Whether a node's memory grows when its readers do not keep up: {@code FOLDER SECONDS
 * ROWS_PER_SECOND}. A writer writes at that rate. Of the readers, processes of their own, a third
 * reads on, a third takes a batch every second, and a third stops in the middle (SIGSTOP, so that
 * its sockets stay open and fill). Prints the node's memory every half minute.
 */
public final class StalledClients {
    private static final int BUCKETS = 4;
    private static final int READERS = 9;
    private static final int KINDS = 3;
    private static final Duration LOOK = Duration.ofSeconds(30);
    private static final TablePath TABLE = new TablePath("fluss", "stalled");

    private StalledClients() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("read")) {
            read(arguments[1], Integer.parseInt(arguments[2]));
            return;
        }
        Path folder = Path.of(arguments[0]);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[1]));
        int rate = Integer.parseInt(arguments[2]);
        List<Process> readers = new ArrayList<>();
        try (NodeUnderLoad node = new NodeUnderLoad(folder.resolve("data"))) {
            TableInfo table = node.client().admin().createTable(TABLE, descriptor());
            try (TableWriter writer = node.client().writer(table)) {
                long written = write(writer, 0, LOOK, rate);
                for (int i = 0; i < READERS; i++) {
                    readers.add(reader(folder, node.address(), i));
                }
                written = write(writer, written, LOOK.dividedBy(2), rate);
                for (int i = 0; i < READERS; i += KINDS) {
                    stop(readers.get(i));
                }
                while (System.nanoTime() < end) {
                    node.describe(written + " rows, " + READERS + " readers");
                    written = write(writer, written, LOOK, rate);
                }
                node.describe(written + " rows at the end");
            }
        } finally {
            readers.forEach(Process::destroyForcibly);
        }
        System.exit(0);
    }

    private static TableDescriptor descriptor() {
        Schema schema =
                new Schema(
                        1,
                        List.of(
                                Column.of(1, "id", DataType.of(TypeRoot.BIGINT)),
                                Column.of(2, "text", DataType.of(TypeRoot.STRING))),
                        List.of());
        return new TableDescriptor(schema, List.of(), List.of(), BUCKETS, Map.of(), Map.of(), "");
    }

    /** Writes at the rate for a while; returns how many rows there are then. */
    private static long write(TableWriter writer, long from, Duration time, int rate)
            throws InterruptedException {
        long begun = System.nanoTime();
        long id = from;
        for (double now = 0; now < time.toSeconds(); now = NodeUnderLoad.seconds(begun)) {
            while (id - from < now * rate) {
                writer.append(GenericRow.of(id, "row number " + id + " of a table that is read"));
                id++;
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
        writer.flush();
        return id;
    }

    private static Process reader(Path folder, String address, int number) {
        return StorageProcess.java(
                StalledClients.class.getName(),
                List.of("read", address, Integer.toString(number)),
                folder.resolve("reader-" + number + ".log"),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1");
    }

    private static void stop(Process process) throws IOException, InterruptedException {
        int status =
                new ProcessBuilder("kill", "-STOP", Long.toString(process.pid()))
                        .inheritIO()
                        .start()
                        .waitFor();
        if (status != 0) {
            throw new IllegalStateException("kill -STOP ended with " + status);
        }
    }

    /** Reads all buckets again and again until the process is ended. */
    private static void read(String address, int number) throws InterruptedException {
        try (FlussClient client = FlussClient.connect(ClientConfig.of(address))) {
            TableInfo table = client.admin().table(TABLE);
            List<Batches<LogBatch>> open = new ArrayList<>();
            for (BucketId bucket : table.buckets()) {
                ScanRequest all = new ScanRequest(bucket, 0, ScanRequest.UNBOUNDED, null);
                open.add(client.logReader().scan(all));
            }
            while (true) {
                for (Batches<LogBatch> batches : open) {
                    batches.poll(Duration.ofMillis(10));
                }
                if (number % KINDS == 1) {
                    TimeUnit.SECONDS.sleep(1);
                }
            }
        }
    }
}

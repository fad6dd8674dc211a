package io.flinkfluss.e2e.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.e2e.cluster.Await;
import io.flinkfluss.e2e.cluster.StorageCluster;
import io.flinkfluss.e2e.cluster.StorageProcess;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import io.flinkfluss.storage.api.wire.ClusterView;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.storage.client.write.TableWriter;
import io.flinkfluss.storage.server.log.Folders;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Invariants 7 and 8 (O-23): a damaged byte is named and never served; a full disk refuses writes,
 * serves reads and recovers.
 */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
final class DiskFaultsITCase {
    private static final long SEED = 7;

    /** Bytes that are left on a disk that is filled: below the limit, enough to go on. */
    private static final long LEFT = 30L << 20;

    private static final Duration SPREAD = Duration.ofSeconds(60);

    @TempDir Path folder;

    @Test
    void aFlippedByteInASegmentIsNamedAndNeverServed() throws Exception {
        StorageProcess storage = StorageProcess.start(folder.resolve("data"));
        TableInfo damaged;
        TableInfo sound;
        try (FlussClient client = FlussClient.connect(ClientConfig.of(storage.address()))) {
            damaged = createTable(client, "damaged");
            sound = createTable(client, "sound");
            write(client, damaged, 1_000);
            write(client, sound, 1_000);
        }
        storage.close();

        Path segment = newestSegment(storage.dataDirectory(), damaged);
        flipAByteInTheMiddle(segment);

        storage.start();
        try (FlussClient client = FlussClient.connect(ClientConfig.of(storage.address()))) {
            assertThatThrownBy(() -> read(client, damaged))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_DATA))
                    .hasMessageContaining(segment.getFileName().toString());
            assertThat(read(client, sound)).isEqualTo(1_000);
        }
        storage.close();
    }

    @Test
    void aFullDiskRefusesWritesServesReadsAndRecoversByItself() throws Exception {
        Path disk = Files.createDirectories(folder.resolve("disk"));
        Assumptions.assumeTrue(
                command("mount", "-t", "tmpfs", "-o", "size=400m", "tmpfs", disk.toString()),
                "mounting a small disk needs root: the refusal itself is also tested without a disk in DiskGuardTest");
        try {
            StorageProcess storage =
                    StorageProcess.start(
                            disk.resolve("data"),
                            "-D",
                            "disk.least-free-bytes=67108864",
                            "-D",
                            "disk.write-limit-ratio=0.8");
            ClientConfig impatient =
                    ClientConfig.of(storage.address()).withDeliveryTimeout(Duration.ofSeconds(3));
            try (FlussClient client = FlussClient.connect(impatient)) {
                TableInfo table = createTable(client, "filling");
                assertThatThrownBy(
                                () -> {
                                    for (int i = 0; i < 1_000; i++) {
                                        write(client, table, 20_000);
                                    }
                                })
                        .isInstanceOfSatisfying(
                                StorageException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL))
                        .hasMessageContaining("disk.write-limit-ratio");
                long stored = end(client, table);
                assertThat(stored).isPositive();
                assertThat(read(client, table)).isEqualTo(stored);

                assertThat(command("mount", "-o", "remount,size=1g", disk.toString())).isTrue();

                Await.until(
                        "a write after space was made",
                        Duration.ofSeconds(60),
                        true,
                        () -> tryWrite(client, table));
                assertThat(read(client, table)).isEqualTo(end(client, table)).isGreaterThan(stored);
            } finally {
                storage.close();
            }
        } finally {
            assertThat(command("umount", "-l", disk.toString())).isTrue();
        }
    }

    @Test
    void aNodeWhoseDiskIsFullHandsOverWhatItLeadsAndLeadsAgainLater() throws Exception {
        Path disk = Files.createDirectories(folder.resolve("cluster").resolve("n1"));
        Assumptions.assumeTrue(
                command("mount", "-t", "tmpfs", "-o", "size=500m", "tmpfs", disk.toString()),
                "mounting a small disk needs root; there is no other way to fill one node's disk");
        try (StorageCluster cluster =
                        StorageCluster.start(
                                folder.resolve("cluster"),
                                3,
                                "-D",
                                "disk.least-free-bytes=67108864");
                FlussClient client = FlussClient.connect(ClientConfig.of(cluster.addresses()))) {
            TableInfo table = createTable(client, "handed-over");
            Await.until("n1 leads something", SPREAD, true, () -> leads(cluster, "n1"));

            Path ballast = disk.resolve("ballast");
            fill(ballast, Files.getFileStore(disk).getUsableSpace() - LEFT);

            Await.until("n1 leads nothing", SPREAD, false, () -> leads(cluster, "n1"));
            write(client, table, 1_000);
            assertThat(read(client, table)).isEqualTo(1_000);

            Files.delete(ballast);

            Await.until("n1 leads again", SPREAD, true, () -> leads(cluster, "n1"));
            write(client, table, 1_000);
            assertThat(read(client, table)).isEqualTo(2_000);
        } finally {
            assertThat(command("umount", "-l", disk.toString())).isTrue();
        }
    }

    private static boolean leads(StorageCluster cluster, String node) {
        ClusterView view = cluster.view();
        return Stream.concat(Stream.of(view.metadata()), view.shards().stream())
                .anyMatch(group -> group.leader().equals(node));
    }

    private static void fill(Path file, long bytes) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] block = new byte[1 << 20];
            for (long left = bytes; left > 0; left -= block.length) {
                out.write(block, 0, (int) Math.min(block.length, left));
            }
        }
    }

    private static boolean tryWrite(FlussClient client, TableInfo table) {
        try {
            write(client, table, 10);
            return true;
        } catch (StorageException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL);
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TableInfo createTable(FlussClient client, String name) {
        Schema schema =
                new Schema(
                        1,
                        List.of(
                                Column.of(0, "id", DataType.of(TypeRoot.BIGINT)),
                                Column.of(1, "noise", DataType.of(TypeRoot.BYTES))),
                        List.of());
        return client.admin()
                .createTable(
                        new TablePath("fluss", name),
                        new TableDescriptor(
                                schema, List.of(), List.of(), 1, Map.of(), Map.of(), ""));
    }

    private static void write(FlussClient client, TableInfo table, int rows)
            throws InterruptedException {
        Random random = new Random(SEED);
        try (TableWriter writer = client.writer(table)) {
            for (long i = 0; i < rows; i++) {
                byte[] noise = new byte[100];
                random.nextBytes(noise);
                writer.append(GenericRow.of(i, noise));
            }
            writer.flush();
        }
    }

    private static long end(FlussClient client, TableInfo table) {
        BucketId bucket = table.buckets().get(0);
        return client.logReader().offsets(List.of(bucket), new OffsetSpec.Latest()).get(bucket);
    }

    private static long read(FlussClient client, TableInfo table) throws InterruptedException {
        long rows = 0;
        try (Batches<LogBatch> batches =
                client.logReader()
                        .scan(
                                new ScanRequest(
                                        table.buckets().get(0), 0, end(client, table), null))) {
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (!batches.isFinished()) {
                assertThat(System.nanoTime()).as("the read ends").isLessThan(deadline);
                rows += batches.poll(Duration.ofSeconds(1)).map(LogBatch::rowCount).orElse(0);
            }
        }
        return rows;
    }

    private static Path newestSegment(Path data, TableInfo table) throws IOException {
        return Folders.filesBelow(data.resolve("shards")).stream()
                .filter(
                        file ->
                                file.toString().contains("/log/" + table.id() + "/")
                                        && file.toString().endsWith(".log"))
                .findFirst()
                .orElseThrow();
    }

    private static void flipAByteInTheMiddle(Path file) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long middle = bytes.length() / 2;
            bytes.seek(middle);
            int value = bytes.read();
            bytes.seek(middle);
            bytes.write(value ^ 0x10);
        }
    }

    private static boolean command(String... words) throws Exception {
        Process process =
                new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        return StorageProcess.await(process, Duration.ofSeconds(20)) && process.exitValue() == 0;
    }
}

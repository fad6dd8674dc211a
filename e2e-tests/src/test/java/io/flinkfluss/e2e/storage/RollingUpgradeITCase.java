package io.flinkfluss.e2e.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.e2e.cluster.Await;
import io.flinkfluss.e2e.cluster.StorageCluster;
import io.flinkfluss.e2e.cluster.StorageProcess;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.OffsetSpec;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes of which two act as the release before: they neither read nor announce the newest
 * format level. They are replaced one by one while a client writes and reads.
 */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class RollingUpgradeITCase {
    private static final String AS_THE_RELEASE_BEFORE = "-Dfluss.test.newest-format-level=1";
    private static final int INCOMPATIBLE = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir private Path folder;
    private StorageCluster cluster;
    private FlussClient client;

    @BeforeEach
    void start() {
        cluster =
                StorageCluster.of(
                        folder,
                        3,
                        "--shards",
                        "3",
                        "-D",
                        "remote.log.task-interval-duration=200 ms",
                        "-D",
                        "log.retention.reader-patience=1 s");
        List<StorageProcess> nodes = cluster.nodes();
        nodes.get(1).javaOptions(AS_THE_RELEASE_BEFORE);
        nodes.get(2).javaOptions(AS_THE_RELEASE_BEFORE);
        cluster.start();
        client =
                FlussClient.connect(
                        ClientConfig.of(cluster.addresses())
                                .withConnectTimeout(Duration.ofSeconds(30)));
    }

    @AfterEach
    void stop() {
        if (client != null) {
            client.close();
        }
        cluster.close();
    }

    @Test
    void nodesAreUpgradedOneByOneWhileAClientWritesAndThenTheNewFormatsAreUsed() throws Exception {
        TableInfo shortLived = createShortLivedTable();
        try (FailoverWorkload load = new FailoverWorkload(client)) {
            load.start();
            load.awaitProgress();
            append(shortLived);
            for (StorageProcess node : cluster.nodes().subList(1, 3)) {
                // While one node is of the release before, rows are kept that are too old: the
                // command that gives them up is not written.
                load.awaitProgress();
                assertThat(start(shortLived)).isZero();
                for (StorageProcess each : cluster.nodes()) {
                    assertThat(version(each)).contains("format=1");
                }
                node.close();
                load.awaitProgress();
                node.javaOptions();
                node.start();
                load.awaitProgress();
            }

            for (StorageProcess node : cluster.nodes()) {
                Await.until(
                        node.dataDirectory() + " has the newest format level",
                        PATIENCE,
                        true,
                        () -> version(node).contains("format=2"));
            }
            Await.until(
                    "the rows that are too old are given up",
                    PATIENCE,
                    true,
                    () -> start(shortLived) > 0);
            load.awaitProgress();
            load.stopAndCheck();
        }
        theReleaseBeforeIsRefused(cluster.nodes().get(2));
    }

    private static void theReleaseBeforeIsRefused(StorageProcess node) {
        node.close();
        node.javaOptions(AS_THE_RELEASE_BEFORE);
        assertThat(node.runToItsEnd()).isEqualTo(INCOMPATIBLE);
        assertThat(node.log())
                .content()
                .contains("INCOMPATIBLE_VERSION")
                .contains("has format level 2; this release reads levels 1 to 1")
                .contains("Install release 0.2 or a newer one on this node");

        node.javaOptions();
        node.start();
    }

    private TableInfo createShortLivedTable() {
        Schema schema =
                new Schema(
                        1,
                        List.of(Column.of(0, "id", DataType.of(TypeRoot.INT).notNull())),
                        List.of());
        TableDescriptor descriptor =
                new TableDescriptor(
                        schema,
                        List.of(),
                        List.of("id"),
                        1,
                        Map.of("table.log.ttl", "1 s"),
                        Map.of(),
                        "");
        return client.admin().createTable(new TablePath("fluss", "short_lived"), descriptor);
    }

    private void append(TableInfo table) throws InterruptedException {
        try (TableWriter writer = client.writer(table)) {
            for (int id = 0; id < 10; id++) {
                writer.append(GenericRow.of(id));
            }
            writer.flush();
        }
    }

    private long start(TableInfo table) {
        BucketId bucket = table.buckets().get(0);
        return client.logReader().offsets(List.of(bucket), new OffsetSpec.Earliest()).get(bucket);
    }

    private static String version(StorageProcess node) {
        try {
            return Files.readString(node.dataDirectory().resolve("VERSION"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

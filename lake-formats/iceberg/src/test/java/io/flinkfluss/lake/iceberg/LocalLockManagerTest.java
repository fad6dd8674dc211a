package io.flinkfluss.lake.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that commit to one table of a local warehouse at once. */
class LocalLockManagerTest {
    private static final TableIdentifier TABLE = TableIdentifier.of("db", "t");
    private static final int COMMITS = 20;

    @TempDir Path folder;

    @Test
    void noCommitOfTwoProcessesIsLost() throws Exception {
        String warehouse = "file:" + folder.resolve("lake");
        Table table =
                open(warehouse)
                        .createTable(
                                TABLE,
                                new Schema(
                                        Types.NestedField.required(1, "id", Types.LongType.get())));
        table.updateProperties()
                .set("commit.retry.num-retries", "1000")
                .set("commit.retry.min-wait-ms", "5")
                .commit();
        List<Process> processes = new ArrayList<>();
        for (String name : List.of("one", "two")) {
            processes.add(
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "-Xmx256m",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    LocalLockManagerTest.class.getName(),
                                    warehouse,
                                    name)
                            .redirectErrorStream(true)
                            .redirectOutput(folder.resolve(name + ".log").toFile())
                            .start());
        }
        for (Process process : processes) {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(() -> logs()).isZero();
        }
        table.refresh();
        List<String> committed = new ArrayList<>();
        for (Snapshot snapshot : table.snapshots()) {
            committed.add(snapshot.summary().get("by"));
        }
        assertThat(committed).hasSize(2 * COMMITS).containsOnly("one", "two");
    }

    private String logs() {
        try {
            return Files.readString(folder.resolve("one.log"))
                    + Files.readString(folder.resolve("two.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static Catalog open(String warehouse) {
        return CatalogUtil.buildIcebergCatalog(
                "test",
                Map.of(
                        "type",
                        "hadoop",
                        "warehouse",
                        warehouse,
                        "lock-impl",
                        LocalLockManager.class.getName()),
                new Configuration());
    }

    /** One of the processes. */
    public static void main(String[] arguments) {
        Catalog catalog = open(arguments[0]);
        for (int i = 0; i < COMMITS; i++) {
            catalog.loadTable(TABLE).newFastAppend().set("by", arguments[1]).commit();
        }
    }
}

package io.flinkfluss.lake.iceberg;

import static io.flinkfluss.lake.LakeTables.keyedTable;
import static io.flinkfluss.lake.LakeTables.logTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeFormats;
import io.flinkfluss.lake.LakeReader;
import io.flinkfluss.lake.LakeRows;
import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.lake.LakeSplit;
import io.flinkfluss.lake.LakeTables;
import io.flinkfluss.lake.LakeWriter;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.TableInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.SnapshotUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IcebergMaintenanceTest {
    @TempDir Path folder;
    private IcebergLake lake;

    @BeforeEach
    void open() {
        lake =
                (IcebergLake)
                        LakeFormats.open(
                                Map.of("format", "iceberg", "warehouse", folder.toString()));
    }

    @Test
    void smallFilesOfALogTableAreMergedAndNothingElseChanges() {
        TableInfo table = logTable(1, "events");
        lake.createTable(table);
        for (int round = 1; round <= 12; round++) {
            commit(table, round, ChangeKind.INSERT, GenericRow.of((long) round, "row"));
            lake.maintenance(table).tidy();
        }

        LakeSnapshot newest = lake.latestSnapshot(table).orElseThrow();
        assertThat(newest.round()).isEqualTo(12);
        assertThat(newest.endOffset(table.buckets().get(0))).isEqualTo(12);
        assertThat(files(table)).hasSizeLessThan(5);
        assertThat(ids(table, newest, 0))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 12).boxed().toList());
    }

    @Test
    void deletesOfAPrimaryKeyTableAreAppliedAndRemoved() {
        TableInfo table = keyedTable(1, "users");
        lake.createTable(table);
        commit(table, 1, ChangeKind.INSERT, GenericRow.of("a", 1L));
        commit(table, 2, ChangeKind.INSERT, GenericRow.of("b", 2L));
        for (int round = 3; round <= 14; round++) {
            commit(table, round, ChangeKind.UPDATE_AFTER, GenericRow.of("v" + round, 1L));
            lake.maintenance(table).tidy();
        }
        commit(table, 15, ChangeKind.DELETE, GenericRow.of("b", 2L));

        LakeSnapshot newest = lake.latestSnapshot(table).orElseThrow();
        assertThat(files(table)).hasSizeLessThan(5);
        assertThat(files(table).stream().flatMap(task -> task.deletes().stream()).distinct())
                .hasSizeLessThan(5);
        assertThat(ids(table, newest, 1)).containsExactly(1L);
    }

    @Test
    void aRoundThatIsCommittedDuringCompactionIsKept() {
        TableInfo table = keyedTable(1, "users");
        lake.createTable(table);
        for (int round = 1; round <= 6; round++) {
            commit(table, round, ChangeKind.INSERT, GenericRow.of("v", (long) round));
        }
        // loaded before the round, committed after it
        IcebergMaintenance slow =
                new IcebergMaintenance(lake.require(table), table, Clock.systemUTC());
        commit(table, 7, ChangeKind.DELETE, GenericRow.of("v", 3L));

        assertThat(slow.tidy().mergedFiles()).isEqualTo(6);
        LakeSnapshot newest = lake.latestSnapshot(table).orElseThrow();
        assertThat(newest.round()).isEqualTo(7);
        assertThat(newest.lakeSnapshotId())
                .isEqualTo(lake.require(table).currentSnapshot().snapshotId());
        assertThat(ids(table, newest, 1)).containsExactlyInAnyOrder(1L, 2L, 4L, 5L, 6L);
        commit(table, 8, ChangeKind.DELETE, GenericRow.of("v", 4L));
        assertThat(ids(table, lake.latestSnapshot(table).orElseThrow(), 1))
                .containsExactlyInAnyOrder(1L, 2L, 5L, 6L);
    }

    @Test
    void oldSnapshotsExpireButNeverTheNewestOfOurs() {
        TableInfo table = logTable(1, "events");
        lake.createTable(table);
        for (int round = 1; round <= 25; round++) {
            commit(table, round, ChangeKind.INSERT, GenericRow.of((long) round, "row"));
        }
        lake.require(table).newFastAppend().commit(); // another system
        Clock later = Clock.offset(Clock.systemUTC(), Duration.ofHours(2));

        int expired =
                new IcebergMaintenance(lake.require(table), table, later).tidy().expiredSnapshots();

        assertThat(expired).isGreaterThanOrEqualTo(20);
        assertThat(SnapshotUtil.currentAncestorIds(lake.require(table))).hasSizeLessThan(5);
        LakeSnapshot newest = lake.latestSnapshot(table).orElseThrow();
        assertThat(newest.round()).isEqualTo(25);
        assertThat(ids(table, newest, 0)).hasSize(25);
    }

    @Test
    void filesThatNobodyCommittedAreDeletedOnceTheyAreOld() throws Exception {
        TableInfo table = logTable(1, "events");
        lake.createTable(table);
        commit(table, 1, ChangeKind.INSERT, GenericRow.of(1L, "kept"));
        write(table, 1, ChangeKind.INSERT, GenericRow.of(2L, "lost"));
        assertThat(dataFiles()).isEqualTo(2);

        assertThat(lake.maintenance(table).deleteOrphans(Duration.ofHours(1))).isZero();
        assertThat(lake.maintenance(table).deleteOrphans(Duration.ofSeconds(-5))).isEqualTo(1);

        assertThat(dataFiles()).isEqualTo(1);
        assertThat(ids(table, lake.latestSnapshot(table).orElseThrow(), 0)).containsExactly(1L);
    }

    private long dataFiles() throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".parquet")).count();
        }
    }

    private byte[] write(TableInfo table, long offset, ChangeKind kind, GenericRow row) {
        LakeWriter writer = lake.newWriter(table, table.buckets().get(0));
        writer.write(kind, row, offset, 1000);
        return writer.complete();
    }

    private void commit(TableInfo table, long round, ChangeKind kind, GenericRow row) {
        byte[] files = write(table, round - 1, kind, row);
        BucketId bucket = table.buckets().get(0);
        Map<BucketId, Long> start = round == 1 ? Map.of() : Map.of(bucket, round - 1);
        lake.committer(table).commit(round, start, Map.of(bucket, round), 1000, List.of(files));
    }

    private List<FileScanTask> files(TableInfo info) {
        Table table = lake.require(info);
        List<FileScanTask> tasks = new ArrayList<>();
        CloseableIterable<FileScanTask> planned = table.newScan().planFiles();
        planned.forEach(tasks::add);
        return tasks;
    }

    private List<Long> ids(TableInfo table, LakeSnapshot snapshot, int column) {
        List<Long> ids = new ArrayList<>();
        LakeReader reader = ((LakeCatalog) lake).reader(table);
        List<Column> columns = table.schema().columns();
        for (LakeSplit split : reader.plan(snapshot, null)) {
            try (LakeRows rows = reader.read(split, null)) {
                rows.forEachRemaining(
                        row ->
                                ids.add(
                                        (Long)
                                                LakeTables.values(
                                                                row,
                                                                columns.stream()
                                                                        .map(Column::type)
                                                                        .toList())
                                                        .get(column)));
            }
        }
        return ids;
    }
}

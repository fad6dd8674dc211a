package io.flinkfluss.flink.unionread.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.flink.unionread.split.LogRange;
import io.flinkfluss.flink.unionread.split.Reading;
import io.flinkfluss.flink.unionread.split.UnionSplit;
import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.lake.LakeSplit;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnionPlanTest {
    private static final TableId ID = new TableId(7);
    private static final TableInfo LOG = table(List.of());
    private static final TableInfo KEYED = table(List.of("id"));

    @Test
    void aBoundedLogTableIsItsLakeFilesAndWhatTheLogHasBeyondThem() {
        PinnedTable pinned = pinned(LOG, ends(10, 5, 0), List.of(file(0), file(1)), ends(12, 5, 3));

        assertThat(UnionPlan.bounded(pinned))
                .containsExactly(
                        lake("lake-0", file(0)),
                        lake("lake-1", file(1)),
                        log("log-0", 0, 10, 12),
                        log("log-2", 2, 0, 3));
    }

    @Test
    void anEmptyTableHasNoSplits() {
        assertThat(UnionPlan.bounded(pinned(LOG, ends(0, 0, 0), List.of(), ends(0, 0, 0))))
                .isEmpty();
        assertThat(UnionPlan.bounded(pinned(KEYED, ends(0, 0, 0), List.of(), ends(0, 0, 0))))
                .isEmpty();
    }

    @Test
    void aTableThatWasNeverTieredIsReadFromItsLog() {
        PinnedTable pinned =
                new PinnedTable(LOG, Optional.empty(), List.of(), ends(0, 0, 0), ends(4, 0, 0));

        assertThat(UnionPlan.bounded(pinned)).containsExactly(log("log-0", 0, 0, 4));
    }

    @Test
    void aBoundedKeyedTableMergesOnlyTheBucketsThatHaveATail() {
        PinnedTable pinned =
                pinned(
                        KEYED,
                        ends(10, 5, 0),
                        List.of(file(0), file(1), file(0), file(1)),
                        ends(12, 5, 0));

        assertThat(UnionPlan.bounded(pinned))
                .containsExactly(
                        new UnionSplit(
                                "merge-0",
                                Reading.MERGE,
                                List.of(file(0), file(0)),
                                List.of(new LogRange(bucket(0), 10, 12)),
                                0),
                        lake("lake-1", file(1)),
                        lake("lake-2", file(1)));
    }

    @Test
    void filesOfMixedBucketsMakeOneMerge() {
        LakeSplit mixed = file(LakeSplit.ANY_BUCKET);
        PinnedTable pinned = pinned(KEYED, ends(1, 1, 1), List.of(file(0), mixed), ends(1, 2, 3));

        assertThat(UnionPlan.bounded(pinned))
                .containsExactly(
                        new UnionSplit(
                                "merge-all",
                                Reading.MERGE,
                                List.of(file(0), mixed),
                                List.of(
                                        new LogRange(bucket(1), 1, 2),
                                        new LogRange(bucket(2), 1, 3)),
                                0));
    }

    @Test
    void anUnboundedReadFollowsEachBucketAfterItsLakeFiles() {
        PinnedTable pinned =
                pinned(KEYED, ends(10, 5, 0), List.of(file(1), file(0)), ends(12, 5, 0));

        assertThat(UnionPlan.unbounded(pinned))
                .containsExactly(
                        bucketSplit(0, 10, List.of(file(0))),
                        bucketSplit(1, 5, List.of(file(1))),
                        bucketSplit(2, 0, List.of()));
    }

    @Test
    void anUnboundedReadOfALogTableDealsOutFilesOfMixedBuckets() {
        LakeSplit mixed = file(LakeSplit.ANY_BUCKET);
        PinnedTable pinned =
                pinned(LOG, ends(1, 1, 1), List.of(mixed, mixed, mixed, mixed), ends(1, 1, 1));

        assertThat(UnionPlan.unbounded(pinned))
                .extracting(split -> split.lake().size())
                .containsExactly(2, 1, 1);
    }

    @Test
    void anUnboundedReadOfAKeyedTableWithMixedFilesKeepsChangesBehindLakeRows() {
        PinnedTable pinned =
                pinned(KEYED, ends(1, 1, 1), List.of(file(LakeSplit.ANY_BUCKET)), ends(1, 1, 1));

        assertThat(UnionPlan.unbounded(pinned)).hasSize(1);
    }

    @Test
    void aLogThatBeginsBehindTheSeamIsRefused() {
        assertThatThrownBy(
                        () ->
                                new PinnedTable(
                                        LOG,
                                        Optional.of(snapshot(ends(4, 0, 0))),
                                        List.of(),
                                        ends(6, 0, 0),
                                        ends(9, 0, 0)))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("bucket 0")
                .hasMessageContaining("below offset 4")
                .hasMessageContaining("begins at 6");
    }

    @Test
    void aLogThatEndsBeforeTheSeamIsRefused() {
        assertThatThrownBy(() -> pinned(LOG, ends(0, 9, 0), List.of(), ends(0, 3, 0)))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("bucket 1")
                .hasMessageContaining("ends at 3");
    }

    private static PinnedTable pinned(
            TableInfo table,
            Map<BucketId, Long> seam,
            List<LakeSplit> files,
            Map<BucketId, Long> logEnds) {
        return new PinnedTable(table, Optional.of(snapshot(seam)), files, ends(0, 0, 0), logEnds);
    }

    private static LakeSnapshot snapshot(Map<BucketId, Long> seam) {
        return new LakeSnapshot(ID, 1, 99, seam, 0, 0);
    }

    private static Map<BucketId, Long> ends(long... offsets) {
        Map<BucketId, Long> ends = new HashMap<>();
        for (int i = 0; i < offsets.length; i++) {
            ends.put(bucket(i), offsets[i]);
        }
        return ends;
    }

    private static BucketId bucket(int number) {
        return BucketId.of(ID, number);
    }

    /** Equal payloads are the same array, so that splits compare by value. */
    private static LakeSplit file(int bucket) {
        return new LakeSplit(bucket, PAYLOAD, 1, 1);
    }

    private static final byte[] PAYLOAD = {1};

    private static UnionSplit lake(String id, LakeSplit file) {
        return new UnionSplit(id, Reading.CONCATENATE, List.of(file), List.of(), 0);
    }

    private static UnionSplit log(String id, int bucket, long start, long end) {
        return new UnionSplit(
                id,
                Reading.CONCATENATE,
                List.of(),
                List.of(new LogRange(bucket(bucket), start, end)),
                0);
    }

    private static UnionSplit bucketSplit(int bucket, long start, List<LakeSplit> files) {
        return new UnionSplit(
                "bucket-" + bucket,
                Reading.CONCATENATE,
                files,
                List.of(new LogRange(bucket(bucket), start, ScanRequest.UNBOUNDED)),
                0);
    }

    private static TableInfo table(List<String> primaryKey) {
        Schema schema =
                new Schema(
                        1,
                        List.of(Column.of(1, "id", DataType.of(TypeRoot.INT).notNull())),
                        primaryKey);
        return new TableInfo(
                ID,
                new TablePath("fluss", "t"),
                new TableDescriptor(schema, List.of(), primaryKey, 3, Map.of(), Map.of(), ""),
                0,
                0);
    }
}

package io.flinkfluss.lake.iceberg;

import io.flinkfluss.lake.LakeReader;
import io.flinkfluss.lake.LakeRows;
import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.lake.LakeSplit;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.TableInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;

/**
 * Plans and reads. A split is some whole files of one partition (so of one bucket), with the delete
 * files that apply to them.
 */
final class IcebergReader implements LakeReader {
    private static final long SPLIT_BYTES = 64L * 1024 * 1024;

    /** What opening one more file costs, in bytes read. */
    private static final long FILE_OVERHEAD = 1024 * 1024;

    private final Table table;
    private final TableInfo info;

    IcebergReader(Table table, TableInfo info) {
        this.table = table;
        this.info = info;
    }

    @Override
    public List<LakeSplit> plan(LakeSnapshot snapshot, int[] columnIndexes) {
        if (table.snapshot(snapshot.lakeSnapshotId()) == null) {
            table.refresh();
        }
        if (table.snapshot(snapshot.lakeSnapshotId()) == null) {
            throw new StorageException(
                    ErrorCode.SNAPSHOT_NOT_FOUND,
                    "lake snapshot "
                            + snapshot.lakeSnapshotId()
                            + " of table "
                            + info.path()
                            + " (round "
                            + snapshot.round()
                            + ") no longer exists: it was expired. Plan again with the newest"
                            + " snapshot");
        }
        Map<String, List<FileScanTask>> byPartition = new LinkedHashMap<>();
        try (CloseableIterable<FileScanTask> tasks =
                table.newScan().useSnapshot(snapshot.lakeSnapshotId()).planFiles()) {
            for (FileScanTask task : tasks) {
                String partition =
                        task.spec().specId() + task.spec().partitionToPath(task.partition());
                byPartition.computeIfAbsent(partition, key -> new ArrayList<>()).add(task);
            }
        } catch (IOException e) {
            throw IcebergErrors.of(
                    "plan a read of lake table " + info.path(), new UncheckedIOException(e));
        } catch (RuntimeException e) {
            throw IcebergErrors.of("plan a read of lake table " + info.path(), e);
        }
        double share = shareOf(columnIndexes);
        List<LakeSplit> splits = new ArrayList<>();
        byPartition.values().forEach(tasks -> pack(tasks, share, splits));
        return splits;
    }

    private void pack(List<FileScanTask> tasks, double share, List<LakeSplit> splits) {
        List<FileScanTask> open = new ArrayList<>();
        long weight = 0;
        for (FileScanTask task : tasks) {
            long next = weightOf(task);
            if (!open.isEmpty() && weight + next > SPLIT_BYTES) {
                splits.add(split(open, share));
                open.clear();
                weight = 0;
            }
            open.add(task);
            weight += next;
        }
        splits.add(split(open, share));
    }

    private static long weightOf(FileScanTask task) {
        return task.sizeBytes() + task.filesCount() * FILE_OVERHEAD;
    }

    private LakeSplit split(List<FileScanTask> tasks, double share) {
        FileScanTask first = tasks.get(0);
        return new LakeSplit(
                bucketOf(first.spec(), first.partition()),
                SplitPayload.encode(tasks),
                tasks.stream().mapToLong(task -> task.file().recordCount()).sum(),
                tasks.stream().mapToLong(task -> (long) (task.sizeBytes() * share)).sum());
    }

    /** The bucket is the last partition field, unless another engine wrote the file. */
    private int bucketOf(PartitionSpec spec, StructLike partition) {
        int last = info.descriptor().partitionKeys().size();
        if (spec.specId() != table.spec().specId() || partition.size() != last + 1) {
            return LakeSplit.ANY_BUCKET;
        }
        Integer bucket = partition.get(last, Integer.class);
        return bucket == null ? LakeSplit.ANY_BUCKET : bucket;
    }

    private double shareOf(int[] columnIndexes) {
        int all = info.schema().columns().size();
        return columnIndexes == null ? 1 : Math.max(1, columnIndexes.length) / (double) all;
    }

    @Override
    public LakeRows read(LakeSplit split, int[] columnIndexes) {
        int[] columns =
                columnIndexes == null
                        ? IntStream.range(0, info.schema().columns().size()).toArray()
                        : columnIndexes;
        return new IcebergRows(table, info, SplitPayload.decode(split.payload()), columns);
    }
}

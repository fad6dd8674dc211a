package io.flinkfluss.lake.iceberg;

import io.flinkfluss.lake.SnapshotProperties;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.io.CloseableIterable;

/**
 * Merges small files. The merged file takes the sequence number of the snapshot it was read from,
 * so deletes that are committed meanwhile still reach it: rounds and compaction never conflict.
 *
 * <p>Log tables: files of about the same size are merged when there are {@value #MIN_FILES}, so a
 * row is rewritten a logarithmic number of times. Primary-key tables: a bucket is rewritten as a
 * whole, which makes its delete files superfluous.
 */
final class Compaction {
    private static final int MIN_FILES = 5;
    private static final int TOO_MANY_DELETES = 50;
    private static final long MEBIBYTE = 1024 * 1024;
    private static final long BYTES_PER_RUN = 64 * MEBIBYTE;
    private static final long LARGE_FILE = 128 * MEBIBYTE;

    private final Table table;
    private final TableInfo info;

    Compaction(Table table, TableInfo info) {
        this.table = table;
        this.info = info;
    }

    /** Returns how many files were merged; 0 when nothing was due or someone was quicker. */
    int run() {
        Snapshot start = table.currentSnapshot();
        if (start == null) {
            return 0;
        }
        List<List<FileScanTask>> groups = within(BYTES_PER_RUN, due(start));
        if (groups.isEmpty()) {
            return 0;
        }
        Set<DataFile> replaced = new HashSet<>();
        Set<DeleteFile> applied = new HashSet<>();
        List<BucketFiles> outputs = new ArrayList<>();
        try {
            for (List<FileScanTask> group : groups) {
                outputs.add(merge(group));
                for (FileScanTask task : group) {
                    replaced.add(task.file());
                    applied.addAll(task.deletes());
                }
            }
            return commit(start, replaced, applied, outputs) ? replaced.size() : 0;
        } catch (CommitFailedException | ValidationException e) {
            outputs.forEach(BucketFiles::delete);
            return 0;
        }
    }

    private boolean commit(
            Snapshot start,
            Set<DataFile> replaced,
            Set<DeleteFile> applied,
            List<BucketFiles> outputs) {
        RewriteFiles rewrite =
                table.newRewrite()
                        .validateFromSnapshot(start.snapshotId())
                        .dataSequenceNumber(start.sequenceNumber());
        replaced.forEach(rewrite::deleteFile);
        if (info.hasPrimaryKey()) {
            applied.forEach(rewrite::deleteFile);
        }
        outputs.forEach(files -> files.data().forEach(rewrite::addFile));
        rewrite.validateWith(new RepeatsProperties(rewrite));
        rewrite.commit();
        return true;
    }

    /** Groups of files to merge, each of one partition, the most fragmented first. */
    private List<List<FileScanTask>> due(Snapshot start) {
        Map<String, List<FileScanTask>> byPartition = new LinkedHashMap<>();
        try (CloseableIterable<FileScanTask> tasks =
                table.newScan().useSnapshot(start.snapshotId()).planFiles()) {
            for (FileScanTask task : tasks) {
                if (task.spec().specId() == table.spec().specId()) {
                    byPartition
                            .computeIfAbsent(
                                    task.spec().partitionToPath(task.partition()),
                                    key -> new ArrayList<>())
                            .add(task);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<List<FileScanTask>> groups = new ArrayList<>();
        for (List<FileScanTask> tasks : byPartition.values()) {
            List<FileScanTask> group = info.hasPrimaryKey() ? dueKeyed(tasks) : dueLog(tasks);
            if (!group.isEmpty()) {
                groups.add(group);
            }
        }
        groups.sort(Comparator.comparingInt((List<FileScanTask> group) -> group.size()).reversed());
        return groups;
    }

    private static List<FileScanTask> dueKeyed(List<FileScanTask> tasks) {
        long deletes =
                tasks.stream()
                        .flatMap(task -> task.deletes().stream())
                        .map(DeleteFile::location)
                        .distinct()
                        .count();
        boolean fragmented = Math.max(tasks.size(), deletes) >= MIN_FILES;
        boolean cheap = bytes(tasks) <= BYTES_PER_RUN;
        return fragmented && (cheap || deletes >= TOO_MANY_DELETES) ? tasks : List.of();
    }

    private static List<FileScanTask> dueLog(List<FileScanTask> tasks) {
        Map<Integer, List<FileScanTask>> bySize = new TreeMap<>();
        for (FileScanTask task : tasks) {
            if (task.length() < LARGE_FILE && task.deletes().isEmpty()) {
                bySize.computeIfAbsent(sizeClass(task.length()), key -> new ArrayList<>())
                        .add(task);
            }
        }
        for (List<FileScanTask> alike : bySize.values()) {
            if (alike.size() >= MIN_FILES) {
                return alike;
            }
        }
        return List.of();
    }

    /** 0 below one mebibyte, then one more for each factor of four. */
    private static int sizeClass(long bytes) {
        int sizeClass = 0;
        for (long limit = MEBIBYTE; bytes >= limit; limit *= 4) {
            sizeClass++;
        }
        return sizeClass;
    }

    /** As many groups as fit, at least one. */
    private static List<List<FileScanTask>> within(
            long budget, Collection<List<FileScanTask>> groups) {
        List<List<FileScanTask>> chosen = new ArrayList<>();
        long used = 0;
        for (List<FileScanTask> group : groups) {
            if (chosen.isEmpty() || used + bytes(group) <= budget) {
                chosen.add(group);
                used += bytes(group);
            }
        }
        return chosen;
    }

    private static long bytes(List<FileScanTask> tasks) {
        return tasks.stream().mapToLong(FileScanTask::length).sum();
    }

    private BucketFiles merge(List<FileScanTask> tasks) {
        FileScanTask first = tasks.get(0);
        Integer bucket =
                first.partition().get(info.descriptor().partitionKeys().size(), Integer.class);
        BucketFiles files =
                new BucketFiles(table, info, BucketId.of(info.id(), bucket == null ? 0 : bucket));
        int[] allColumns = IntStream.range(0, info.schema().columns().size()).toArray();
        try (IcebergRows rows = new IcebergRows(table, info, tasks, allColumns);
                BucketFiles.DataOutput output = files.newData(first.partition())) {
            while (rows.hasNext()) {
                RowView row = rows.next();
                output.write(row);
            }
        } catch (RuntimeException e) {
            files.delete();
            throw e;
        }
        return files;
    }

    /**
     * Gives the new snapshot the tiering properties of the snapshot it is really made on: the
     * content is the same, so it covers the same offsets.
     */
    private final class RepeatsProperties implements SnapshotAncestryValidator {
        private final RewriteFiles rewrite;

        private RepeatsProperties(RewriteFiles rewrite) {
            this.rewrite = rewrite;
        }

        @Override
        public boolean validate(Iterable<Snapshot> ancestors) {
            TieredSnapshots.newest(ancestors, info.id(), info.path().toString())
                    .ifPresent(
                            newest ->
                                    SnapshotProperties.of(
                                                    newest.table(),
                                                    newest.round(),
                                                    newest.endOffsets(),
                                                    newest.tieredUpToMillis())
                                            .forEach(rewrite::set));
            return true;
        }
    }
}

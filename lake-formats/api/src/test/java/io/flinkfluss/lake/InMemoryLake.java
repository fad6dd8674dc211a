package io.flinkfluss.lake;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A lake in memory, for tests: every catalog of one {@link Warehouse} sees the same. Rows are
 * stored as changes and folded on reading.
 */
public final class InMemoryLake implements LakeCatalog {
    private final Warehouse warehouse;

    InMemoryLake(Warehouse warehouse) {
        this.warehouse = warehouse;
    }

    /** What all catalogs with the same setting {@code warehouse} share. Safe for many threads. */
    public static final class Warehouse {
        private static final Map<String, Warehouse> ALL = new TreeMap<>();

        private final Map<TablePath, LakeTable> tables = new LinkedHashMap<>();
        private final Map<Long, List<Change>> staged = new TreeMap<>();
        private long lastId;
        private int commitsToFail;
        private int answersToLose;

        /** The warehouse of this name, made when it is not there. */
        public static synchronized Warehouse named(String name) {
            return ALL.computeIfAbsent(name, key -> new Warehouse());
        }

        /** The next commits of any table fail, and nothing is committed. */
        public synchronized void failCommits(int commits) {
            commitsToFail = commits;
        }

        /** The next commits succeed, but their callers are told that the outcome is unknown. */
        public synchronized void loseAnswers(int commits) {
            answersToLose = commits;
        }

        /** Files that were written and are neither committed nor deleted. */
        public synchronized int orphans() {
            return staged.size();
        }

        private void commit(LakeTable table, LakeSnapshot snapshot, List<byte[]> files) {
            if (commitsToFail > 0) {
                commitsToFail--;
                throw new StorageException(ErrorCode.UNREACHABLE, "the lake does not answer");
            }
            List<Change> changes = new ArrayList<>(table.changes());
            for (byte[] file : files) {
                if (file.length > 0) {
                    changes.addAll(staged.remove(ByteBuffer.wrap(file).getLong()));
                }
            }
            table.versions.add(new Version(snapshot, changes));
            if (answersToLose > 0) {
                answersToLose--;
                throw new StorageException(ErrorCode.TIMEOUT, "the answer was lost");
            }
        }
    }

    private record Change(int bucket, ChangeKind kind, byte[] row) {}

    private record Version(LakeSnapshot snapshot, List<Change> changes) {}

    private static final class LakeTable {
        private TableInfo owner;
        private final List<Version> versions = new ArrayList<>();

        LakeTable(TableInfo owner) {
            this.owner = owner;
        }

        boolean isOwnedBy(TableInfo info) {
            return owner.id().equals(info.id())
                    && owner.createdAtMillis() == info.createdAtMillis();
        }

        Optional<LakeSnapshot> newest() {
            return versions.isEmpty()
                    ? Optional.empty()
                    : Optional.of(versions.get(versions.size() - 1).snapshot);
        }

        List<Change> changes() {
            return versions.isEmpty() ? List.of() : versions.get(versions.size() - 1).changes;
        }
    }

    @Override
    public void validate(TablePath path, TableDescriptor descriptor) {
        synchronized (warehouse) {
            for (TablePath other : warehouse.tables.keySet()) {
                if (other.toString().equalsIgnoreCase(path.toString()) && !other.equals(path)) {
                    throw new StorageException(
                            ErrorCode.INVALID_NAME, path + " differs from " + other + " in case");
                }
            }
            LakeTable table = warehouse.tables.get(path);
            if (table != null) {
                requireAdoptable(table, path, descriptor);
            }
        }
    }

    private static void requireAdoptable(
            LakeTable table, TablePath path, TableDescriptor descriptor) {
        if (!table.versions.isEmpty()) {
            throw new StorageException(
                    ErrorCode.TABLE_ALREADY_EXISTS, "lake table " + path + " holds rows");
        }
        if (!table.owner.schema().equals(descriptor.schema())) {
            throw new StorageException(
                    ErrorCode.TABLE_ALREADY_EXISTS, "lake table " + path + " has another shape");
        }
    }

    @Override
    public void createTable(TableInfo info) {
        synchronized (warehouse) {
            LakeTable table = warehouse.tables.get(info.path());
            if (table != null && table.isOwnedBy(info)) {
                return;
            }
            validate(info.path(), info.descriptor());
            if (table == null) {
                warehouse.tables.put(info.path(), new LakeTable(info));
            } else {
                table.owner = info;
            }
        }
    }

    @Override
    public void dropTable(TableInfo table) {
        synchronized (warehouse) {
            warehouse.tables.remove(table.path());
        }
    }

    @Override
    public Optional<LakeSnapshot> latestSnapshot(TableInfo info) {
        synchronized (warehouse) {
            return Optional.ofNullable(warehouse.tables.get(info.path()))
                    .filter(table -> table.isOwnedBy(info))
                    .flatMap(LakeTable::newest);
        }
    }

    private LakeTable require(TableInfo info) {
        LakeTable table = warehouse.tables.get(info.path());
        if (table == null || !table.isOwnedBy(info)) {
            throw new StorageException(
                    ErrorCode.TABLE_NOT_FOUND,
                    "no lake table "
                            + info.path()
                            + " of "
                            + info.id()
                            + ", but perhaps one of another cluster");
        }
        return table;
    }

    @Override
    public LakeWriter newWriter(TableInfo info, BucketId bucket) {
        synchronized (warehouse) {
            LakeTable unused = require(info);
        }
        RowCodec codec = new RowCodec(info.schema());
        List<Change> changes = new ArrayList<>();
        return new LakeWriter() {
            @Override
            public void write(ChangeKind kind, RowView row, long offset, long commitMillis) {
                if (kind != ChangeKind.UPDATE_BEFORE) {
                    changes.add(new Change(bucket.bucket(), kind, codec.encode(row)));
                }
            }

            @Override
            public boolean isFull() {
                return false;
            }

            @Override
            public byte[] complete() {
                if (changes.isEmpty()) {
                    return new byte[0];
                }
                synchronized (warehouse) {
                    long id = ++warehouse.lastId;
                    warehouse.staged.put(id, changes);
                    return ByteBuffer.allocate(Long.BYTES).putLong(id).array();
                }
            }

            @Override
            public void abort() {
                changes.clear();
            }
        };
    }

    @Override
    public LakeCommitter committer(TableInfo info) {
        return new LakeCommitter() {
            @Override
            public LakeSnapshot commit(
                    long round,
                    Map<BucketId, Long> startOffsets,
                    Map<BucketId, Long> endOffsets,
                    long tieredUpToMillis,
                    List<byte[]> files) {
                if (!endOffsets.keySet().containsAll(startOffsets.keySet())) {
                    throw new StorageException(
                            ErrorCode.INVALID_REQUEST, "a bucket has no end offset");
                }
                synchronized (warehouse) {
                    LakeTable table = require(info);
                    Optional<LakeSnapshot> newest = table.newest();
                    if (newest.map(LakeSnapshot::round).orElse(0L) != round - 1
                            || !newest.map(LakeSnapshot::endOffsets)
                                    .orElse(Map.of())
                                    .equals(startOffsets)) {
                        throw new StorageException(
                                ErrorCode.STALE_LAKE_PROGRESS, "the lake is at " + newest);
                    }
                    LakeSnapshot snapshot =
                            new LakeSnapshot(
                                    info.id(),
                                    round,
                                    ++warehouse.lastId,
                                    endOffsets,
                                    tieredUpToMillis,
                                    tieredUpToMillis);
                    warehouse.commit(table, snapshot, files);
                    return snapshot;
                }
            }

            @Override
            public void discard(List<byte[]> files) {
                synchronized (warehouse) {
                    for (byte[] file : files) {
                        if (file.length > 0) {
                            warehouse.staged.remove(ByteBuffer.wrap(file).getLong());
                        }
                    }
                }
            }
        };
    }

    @Override
    public LakeReader reader(TableInfo info) {
        return new LakeReader() {
            @Override
            public List<LakeSplit> plan(LakeSnapshot snapshot, int[] columnIndexes) {
                Map<Integer, Long> rows = new TreeMap<>();
                for (Change change : rows(info, snapshot.lakeSnapshotId())) {
                    rows.merge(change.bucket, 1L, Long::sum);
                }
                return rows.entrySet().stream()
                        .map(
                                entry ->
                                        new LakeSplit(
                                                entry.getKey(),
                                                ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                                                        .putLong(snapshot.lakeSnapshotId())
                                                        .putInt(entry.getKey())
                                                        .array(),
                                                entry.getValue(),
                                                entry.getValue()))
                        .toList();
            }

            @Override
            public LakeRows read(LakeSplit split, int[] columnIndexes) {
                ByteBuffer payload = ByteBuffer.wrap(split.payload());
                long snapshot = payload.getLong();
                int bucket = payload.getInt();
                RowCodec codec = new RowCodec(info.schema());
                Iterator<Change> changes =
                        rows(info, snapshot).stream()
                                .filter(change -> change.bucket == bucket)
                                .iterator();
                return new LakeRows() {
                    @Override
                    public boolean hasNext() {
                        return changes.hasNext();
                    }

                    @Override
                    public RowView next() {
                        RowView row = codec.decode(changes.next().row);
                        return columnIndexes == null ? row : new ProjectedRow(row, columnIndexes);
                    }

                    @Override
                    public void close() {}
                };
            }
        };
    }

    private List<Change> rows(TableInfo info, long snapshotId) {
        List<Change> changes;
        synchronized (warehouse) {
            changes =
                    require(info).versions.stream()
                            .filter(version -> version.snapshot.lakeSnapshotId() == snapshotId)
                            .findFirst()
                            .orElseThrow(
                                    () ->
                                            new StorageException(
                                                    ErrorCode.SNAPSHOT_NOT_FOUND,
                                                    "no lake snapshot " + snapshotId))
                            .changes;
        }
        if (!info.hasPrimaryKey()) {
            return changes;
        }
        RowCodec codec = new RowCodec(info.schema());
        KeyCodec keys = new KeyCodec(info.schema(), info.schema().keyIndexes());
        Map<String, Change> folded = new LinkedHashMap<>();
        for (Change change : changes) {
            String key = HexFormat.of().formatHex(keys.encode(codec.decode(change.row)));
            if (change.kind == ChangeKind.DELETE) {
                folded.remove(key);
            } else {
                folded.put(key, change);
            }
        }
        return List.copyOf(folded.values());
    }

    @Override
    public LakeMaintenance maintenance(TableInfo table) {
        return new LakeMaintenance() {
            @Override
            public Report tidy() {
                return new Report(0, 0);
            }

            @Override
            public int deleteOrphans(Duration age) {
                synchronized (warehouse) {
                    int orphans = warehouse.staged.size();
                    warehouse.staged.clear();
                    return orphans;
                }
            }
        };
    }

    @Override
    public String location(TableInfo table) {
        return "memory:" + table.path();
    }

    @Override
    public void close() {}

    private record ProjectedRow(RowView row, int[] columns) implements RowView {
        @Override
        public boolean isNullAt(int index) {
            return row.isNullAt(columns[index]);
        }

        @Override
        public boolean booleanAt(int index) {
            return row.booleanAt(columns[index]);
        }

        @Override
        public byte byteAt(int index) {
            return row.byteAt(columns[index]);
        }

        @Override
        public short shortAt(int index) {
            return row.shortAt(columns[index]);
        }

        @Override
        public int intAt(int index) {
            return row.intAt(columns[index]);
        }

        @Override
        public long longAt(int index) {
            return row.longAt(columns[index]);
        }

        @Override
        public float floatAt(int index) {
            return row.floatAt(columns[index]);
        }

        @Override
        public double doubleAt(int index) {
            return row.doubleAt(columns[index]);
        }

        @Override
        public byte[] bytesAt(int index) {
            return row.bytesAt(columns[index]);
        }

        @Override
        public int nanosOfMilliAt(int index) {
            return row.nanosOfMilliAt(columns[index]);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ProjectedRow that
                    && row.equals(that.row)
                    && Arrays.equals(columns, that.columns);
        }

        @Override
        public int hashCode() {
            return row.hashCode() + Arrays.hashCode(columns);
        }
    }
}

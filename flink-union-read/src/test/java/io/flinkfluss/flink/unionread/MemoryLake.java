package io.flinkfluss.flink.unionread;

import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeCommitter;
import io.flinkfluss.lake.LakeFormat;
import io.flinkfluss.lake.LakeMaintenance;
import io.flinkfluss.lake.LakeReader;
import io.flinkfluss.lake.LakeRows;
import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.lake.LakeSplit;
import io.flinkfluss.lake.LakeWriter;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** A lake of the test's process: the test says which rows a snapshot has. Read only. */
public final class MemoryLake implements LakeFormat {
    private static final Map<TableId, Snapshot> NEWEST = new ConcurrentHashMap<>();
    private static final List<List<Object[]>> FILES = new ArrayList<>();

    private record Snapshot(LakeSnapshot snapshot, List<LakeSplit> splits) {}

    /** Settings that open this lake. */
    static Map<String, String> settings() {
        return Map.of("format", "memory");
    }

    /** Forgets every snapshot: each test's service counts table ids anew. */
    static void clear() {
        NEWEST.clear();
    }

    /**
     * Makes this the newest snapshot.
     *
     * @param rows per bucket number its rows; every file has at most {@code rowsPerFile}
     */
    static synchronized void commit(
            TableInfo table,
            Map<BucketId, Long> endOffsets,
            Map<Integer, List<Object[]>> rows,
            int rowsPerFile) {
        List<LakeSplit> splits = new ArrayList<>();
        rows.forEach(
                (bucket, all) -> {
                    for (int from = 0; from < all.size(); from += rowsPerFile) {
                        List<Object[]> file =
                                all.subList(from, Math.min(all.size(), from + rowsPerFile));
                        FILES.add(List.copyOf(file));
                        byte[] payload =
                                ByteBuffer.allocate(Integer.BYTES).putInt(FILES.size() - 1).array();
                        splits.add(new LakeSplit(bucket, payload, file.size(), file.size()));
                    }
                });
        LakeSnapshot snapshot = new LakeSnapshot(table.id(), 1, 1, endOffsets, 0, 0);
        NEWEST.put(table.id(), new Snapshot(snapshot, splits));
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public LakeCatalog open(Map<String, String> settings) {
        return new Catalog();
    }

    private static final class Catalog implements LakeCatalog {
        @Override
        public Optional<LakeSnapshot> latestSnapshot(TableInfo table) {
            return Optional.ofNullable(NEWEST.get(table.id())).map(Snapshot::snapshot);
        }

        @Override
        public LakeReader reader(TableInfo table) {
            return new Reader(table);
        }

        @Override
        public void validate(TablePath path, TableDescriptor descriptor) {}

        @Override
        public void createTable(TableInfo table) {}

        @Override
        public void dropTable(TableInfo table) {}

        @Override
        public LakeWriter newWriter(TableInfo table, BucketId bucket) {
            throw new UnsupportedOperationException("this lake is read only");
        }

        @Override
        public LakeCommitter committer(TableInfo table) {
            throw new UnsupportedOperationException("this lake is read only");
        }

        @Override
        public LakeMaintenance maintenance(TableInfo table) {
            throw new UnsupportedOperationException("this lake is read only");
        }

        @Override
        public String location(TableInfo table) {
            return "memory";
        }

        @Override
        public void close() {}
    }

    private record Reader(TableInfo table) implements LakeReader {
        @Override
        public List<LakeSplit> plan(LakeSnapshot snapshot, int[] columnIndexes) {
            return NEWEST.get(snapshot.table()).splits();
        }

        @Override
        public LakeRows read(LakeSplit split, int[] columnIndexes) {
            List<Object[]> file;
            synchronized (MemoryLake.class) {
                file = FILES.get(ByteBuffer.wrap(split.payload()).getInt());
            }
            Iterator<Object[]> rows = file.iterator();
            return new LakeRows() {
                @Override
                public boolean hasNext() {
                    return rows.hasNext();
                }

                @Override
                public RowView next() {
                    Object[] row = rows.next();
                    return GenericRow.of(
                            IntStream.of(columnIndexes).mapToObj(index -> row[index]).toArray());
                }

                @Override
                public void close() {}
            };
        }
    }
}

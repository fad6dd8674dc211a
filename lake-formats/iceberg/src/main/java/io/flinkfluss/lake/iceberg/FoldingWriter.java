package io.flinkfluss.lake.iceberg;

import io.flinkfluss.lake.LakeWriter;
import io.flinkfluss.storage.api.record.ChangeKind;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.deletes.EqualityDeleteWriter;

/**
 * Folds the changes of a primary-key table in memory and writes what is left in key order: one data
 * file with the newest row of each key, one file of keys to delete. An equality delete reaches only
 * rows of earlier snapshots, so the two never touch each other. A key whose first change in the
 * round is INSERT was not in the table before and needs no delete.
 *
 * <p>Not Iceberg's delta writer, which writes every version of a key and then deletes by position:
 * a hot key would cost a row and a delete per change, here it costs nothing.
 */
final class FoldingWriter implements LakeWriter {
    private static final long MAX_BYTES = 48L * 1024 * 1024;
    private static final int ENTRY_OVERHEAD = 120;

    private final BucketFiles files;
    private final TableInfo info;
    private final int bucket;
    private final RowCodec rowCodec;
    private final KeyCodec keyCodec;
    private final Map<Key, Latest> changes = new HashMap<>();
    private long bytes;
    private boolean betweenBeforeAndAfter;

    FoldingWriter(Table table, TableInfo info, BucketId bucket) {
        this.files = new BucketFiles(table, info, bucket);
        this.info = info;
        this.bucket = bucket.bucket();
        this.rowCodec = new RowCodec(info.schema());
        this.keyCodec = new KeyCodec(info.schema(), info.schema().keyIndexes());
    }

    @Override
    public void write(ChangeKind kind, RowView row, long offset, long commitMillis) {
        betweenBeforeAndAfter = kind == ChangeKind.UPDATE_BEFORE;
        if (betweenBeforeAndAfter) {
            return;
        }
        Key key = new Key(keyCodec.encode(row));
        Latest latest = changes.get(key);
        if (latest == null) {
            latest = new Latest(kind != ChangeKind.INSERT);
            changes.put(key, latest);
            bytes += key.bytes.length + ENTRY_OVERHEAD;
        } else {
            bytes -= latest.row.length;
        }
        latest.deleted = kind == ChangeKind.DELETE;
        // A deleted row is kept too: its key columns name what to delete.
        latest.row = rowCodec.encode(row);
        bytes += latest.row.length;
    }

    /** Never between the two halves of an update, so that a reader of the rest gets both. */
    @Override
    public boolean isFull() {
        return bytes >= MAX_BYTES && !betweenBeforeAndAfter;
    }

    @Override
    public byte[] complete() {
        try {
            writeFiles();
            return files.describe();
        } catch (IOException e) {
            throw IcebergErrors.of(
                    "write to lake table " + info.path(), new UncheckedIOException(e));
        } catch (RuntimeException e) {
            throw IcebergErrors.of("write to lake table " + info.path(), e);
        }
    }

    private void writeFiles() throws IOException {
        Latest[] inKeyOrder =
                changes.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(Map.Entry::getValue)
                        .toArray(Latest[]::new);
        changes.clear();
        if (inKeyOrder.length == 0) {
            return;
        }
        StructLike partition = files.partitionOf(rowCodec.decode(inKeyOrder[0].row), bucket);
        EqualityDeleteWriter<RowView> deletes = null;
        for (Latest latest : inKeyOrder) {
            if (latest.wasThere) {
                if (deletes == null) {
                    deletes = files.newKeyDeletes(partition);
                }
                deletes.write(rowCodec.decode(latest.row));
            }
        }
        if (deletes != null) {
            deletes.close();
            files.add(deletes.toDeleteFile());
        }
        try (BucketFiles.DataOutput rows = files.newData(partition)) {
            for (Latest latest : inKeyOrder) {
                if (!latest.deleted) {
                    rows.write(rowCodec.decode(latest.row));
                }
            }
        }
    }

    @Override
    public void abort() {
        changes.clear();
        files.delete();
    }

    private static final class Latest {
        private final boolean wasThere;
        private boolean deleted;
        private byte[] row = new byte[0];

        private Latest(boolean wasThere) {
            this.wasThere = wasThere;
        }
    }

    private record Key(byte[] bytes) implements Comparable<Key> {
        @Override
        public boolean equals(Object other) {
            return other instanceof Key that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public int compareTo(Key other) {
            return Arrays.compareUnsigned(bytes, other.bytes);
        }
    }
}

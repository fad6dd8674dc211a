package io.flinkfluss.flink.unionread.merge;

import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.record.RowView;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The last change of each key of a log tail. Changes are put in log order, then {@link #merge} is
 * called once. When the changes outgrow the budget, they and the lake's rows are split by a hash of
 * the key into files, and each part is merged on its own (and split again if it is still too
 * large). One thread.
 */
public final class FoldedTail implements Closeable {
    private static final int PARTS = 16;
    private static final int LAST_LEVEL = 7;

    /** Object headers, references and the map's entry. */
    private static final int ENTRY_OVERHEAD_BYTES = 120;

    private final MergeBudget budget;
    private final RowCodec codec;
    private final int level;
    private final Map<Key, byte[]> changes = new LinkedHashMap<>();
    private long usedBytes;
    private Path folder;
    private SpillFile[] parts;

    /**
     * @param codec of the rows of both sides
     */
    public FoldedTail(MergeBudget budget, RowCodec codec) {
        this(budget, codec, 0);
    }

    private FoldedTail(MergeBudget budget, RowCodec codec, int level) {
        this.budget = budget;
        this.codec = codec;
        this.level = level;
    }

    /**
     * Takes the next change.
     *
     * @param row the key's row from now on, encoded; null when the key was deleted
     */
    public void put(byte[] key, byte[] row) throws IOException {
        if (parts != null) {
            parts[partOf(key)].write(key, row);
            return;
        }
        Key mapKey = new Key(key);
        if (changes.containsKey(mapKey)) {
            usedBytes += sizeOf(row) - sizeOf(changes.put(mapKey, row));
        } else {
            changes.put(mapKey, row);
            usedBytes += key.length + sizeOf(row) + ENTRY_OVERHEAD_BYTES;
        }
        if (usedBytes > budget.memoryBytes() && level < LAST_LEVEL) {
            spill();
        }
    }

    /** Whether the changes did not fit the memory. */
    public boolean isSpilled() {
        return parts != null;
    }

    /**
     * The lake's rows whose key has no change, and the rows that live keys have in the tail.
     * Closing the result closes {@code lakeRows} too.
     */
    public MergedRows merge(KeyedRows lakeRows) throws IOException {
        return parts == null ? new InMemory(lakeRows) : new InParts(lakeRows);
    }

    @Override
    public void close() throws IOException {
        changes.clear();
        if (parts != null) {
            for (SpillFile part : parts) {
                part.delete();
            }
            parts = null;
        }
        if (folder != null) {
            // what a failed merge left there
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(folder);
            folder = null;
        }
    }

    private void spill() throws IOException {
        Files.createDirectories(budget.spillFolder());
        folder = Files.createTempDirectory(budget.spillFolder(), "fluss-merge-");
        parts = newParts("tail-");
        for (Map.Entry<Key, byte[]> change : changes.entrySet()) {
            byte[] key = change.getKey().bytes;
            parts[partOf(key)].write(key, change.getValue());
        }
        changes.clear();
        usedBytes = 0;
    }

    private SpillFile[] newParts(String prefix) {
        SpillFile[] files = new SpillFile[PARTS];
        for (int part = 0; part < PARTS; part++) {
            files[part] = new SpillFile(folder.resolve(prefix + part), codec);
        }
        return files;
    }

    private int partOf(byte[] key) {
        int hash = (Arrays.hashCode(key) + level * 0x3C6EF372) * 0x9E3779B9;
        hash ^= hash >>> 15;
        return (hash * 0x85EBCA6B) >>> 28;
    }

    private static int sizeOf(byte[] row) {
        return row == null ? 0 : row.length;
    }

    private record Key(byte[] bytes, int hash) {
        Key(byte[] bytes) {
            this(bytes, Arrays.hashCode(bytes));
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key that
                    && hash == that.hash
                    && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    private final class InMemory implements MergedRows {
        private final KeyedRows lakeRows;
        private boolean inLake = true;
        private Iterator<byte[]> tailRows;
        private byte[] row;

        InMemory(KeyedRows lakeRows) {
            this.lakeRows = lakeRows;
        }

        @Override
        public boolean next() throws IOException {
            while (inLake && lakeRows.next()) {
                if (changes.isEmpty() || !changes.containsKey(new Key(lakeRows.key()))) {
                    return true;
                }
            }
            if (inLake) {
                inLake = false;
                tailRows = changes.values().iterator();
            }
            while (tailRows.hasNext()) {
                row = tailRows.next();
                if (row != null) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public RowView view() {
            return inLake ? lakeRows.view() : codec.decode(row);
        }

        @Override
        public void close() throws IOException {
            lakeRows.close();
            FoldedTail.this.close();
        }
    }

    /** Splits the lake's rows like the tail, then merges part by part. */
    private final class InParts implements MergedRows {
        private final SpillFile[] lakeParts = newParts("lake-");
        private int part = -1;
        private MergedRows current;

        InParts(KeyedRows lakeRows) throws IOException {
            try (lakeRows) {
                while (lakeRows.next()) {
                    lakeParts[partOf(lakeRows.key())].write(lakeRows.key(), lakeRows.row());
                }
            }
        }

        @Override
        public boolean next() throws IOException {
            while (current == null || !current.next()) {
                if (current != null) {
                    current.close();
                    current = null;
                }
                part++;
                if (part >= PARTS) {
                    return false;
                }
                current = mergePart();
            }
            return true;
        }

        private MergedRows mergePart() throws IOException {
            FoldedTail tail = new FoldedTail(budget, codec, level + 1);
            try (KeyedRows changesOfPart = parts[part].read()) {
                while (changesOfPart.next()) {
                    tail.put(changesOfPart.key(), changesOfPart.row());
                }
            }
            return tail.merge(lakeParts[part].read());
        }

        @Override
        public RowView view() {
            return current.view();
        }

        @Override
        public void close() throws IOException {
            if (current != null) {
                current.close();
            }
            for (SpillFile file : lakeParts) {
                file.delete();
            }
            FoldedTail.this.close();
        }
    }
}

package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.log.Folders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A store in memory, whose checkpoints are files as the real one's are: a data file that is shared
 * by hard links, and a small one that names it. Thread-safe.
 */
public final class MemoryKvStore implements KvStore {
    private static final String CURRENT = "CURRENT";

    private final Path folder;
    private MemoryKvState state;
    private boolean closed;
    private boolean retired;

    /** Changes in the order they were made. */
    private static final class Changes implements KvChanges {
        private final List<Consumer<NavigableMap<byte[], byte[]>>> steps = new ArrayList<>();

        @Override
        public void put(BucketId bucket, byte[] key, EncodedRow row) {
            byte[] stored = StoreKeys.key(bucket, key);
            byte[] value = StoreKeys.value(row);
            steps.add(rows -> rows.put(stored, value));
        }

        @Override
        public void delete(BucketId bucket, byte[] key) {
            byte[] stored = StoreKeys.key(bucket, key);
            steps.add(rows -> rows.remove(stored));
        }

        @Override
        public void deleteTable(TableId table) {
            byte[] from = StoreKeys.tablePrefix(table);
            steps.add(rows -> rows.subMap(from, true, StoreKeys.after(from), false).clear());
        }

        @Override
        public boolean isEmpty() {
            return steps.isEmpty();
        }

        @Override
        public void close() {
            steps.clear();
        }
    }

    private MemoryKvStore(Path folder, MemoryKvState state) {
        this.folder = folder;
        this.state = state;
    }

    /** As {@link KvStores#open}. */
    public static KvStore open(Path folder) {
        try {
            Files.createDirectories(folder);
            Path current = folder.resolve(CURRENT);
            if (!Files.exists(current)) {
                return new MemoryKvStore(folder, MemoryKvState.EMPTY);
            }
            Path data = folder.resolve(Files.readString(current, StandardCharsets.US_ASCII));
            if (!Files.exists(data)) {
                throw damaged(data, "it is missing");
            }
            return new MemoryKvStore(
                    folder,
                    MemoryKvState.decode(ByteBuffer.wrap(Files.readAllBytes(data)))
                            .orElseThrow(() -> damaged(data, "its checksum is wrong")));
        } catch (IOException e) {
            throw failed("open", folder, e);
        }
    }

    private void requireOpen() {
        if (retired) {
            throw KvErrors.replaced(folder);
        }
        if (closed) {
            throw KvErrors.closed(folder);
        }
    }

    @Override
    public synchronized List<EncodedRow> get(BucketId bucket, List<byte[]> keys) {
        requireOpen();
        List<EncodedRow> found = new ArrayList<>(keys.size());
        for (byte[] key : keys) {
            byte[] value = state.rows().get(StoreKeys.key(bucket, key));
            found.add(value == null ? null : StoreKeys.row(ByteBuffer.wrap(value)));
        }
        return found;
    }

    @Override
    public synchronized List<EncodedRow> getPrefix(
            BucketId bucket, byte[] prefix, long limitBytes) {
        requireOpen();
        byte[] from = StoreKeys.key(bucket, prefix);
        SortedMap<byte[], byte[]> range = state.rows().subMap(from, StoreKeys.after(from));
        List<EncodedRow> found = new ArrayList<>();
        long bytes = 0;
        for (byte[] value : range.values()) {
            EncodedRow row = StoreKeys.row(ByteBuffer.wrap(value));
            bytes += row.bytes().length;
            if (bytes > limitBytes) {
                throw KvErrors.tooManyRows(bucket, found.size(), limitBytes);
            }
            found.add(row);
        }
        return found;
    }

    @Override
    public KvChanges changes() {
        return new Changes();
    }

    @Override
    public synchronized void apply(KvChanges changes, byte[] mark) {
        NavigableMap<byte[], byte[]> rows = new TreeMap<>(state.rows());
        ((Changes) changes).steps.forEach(step -> step.accept(rows));
        state = new MemoryKvState(rows, mark);
    }

    @Override
    public synchronized void remember(byte[] mark) {
        state = new MemoryKvState(state.rows(), mark);
    }

    @Override
    public synchronized byte[] mark() {
        return state.mark().clone();
    }

    /** Everything is written by the checkpoint. */
    @Override
    public synchronized void flush() {
        requireOpen();
    }

    /** Everything was read when it was opened. */
    @Override
    public void verify() {}

    @Override
    public synchronized void retire() {
        retired = true;
    }

    @Override
    public synchronized void checkpoint(Path target) {
        try {
            Path data = nextDataFile();
            Files.write(data, state.encode().array());
            Folders.force(data);
            Files.createDirectory(target);
            Files.createLink(target.resolve(data.getFileName()), data);
            Files.writeString(
                    target.resolve(CURRENT),
                    data.getFileName().toString(),
                    StandardCharsets.US_ASCII);
            Folders.forceTree(target);
        } catch (IOException e) {
            throw failed("copy to " + target, folder, e);
        }
    }

    private Path nextDataFile() throws IOException {
        long last = 0;
        for (Path file : Folders.list(folder)) {
            String name = file.getFileName().toString();
            if (name.matches("\\d{6}\\" + KvStores.DATA_FILE)) {
                last = Math.max(last, Long.parseLong(name.substring(0, 6)));
            }
        }
        return folder.resolve(String.format("%06d", last + 1) + KvStores.DATA_FILE);
    }

    @Override
    public synchronized KvFigures figures() {
        long bytes = 0;
        if (!closed) {
            for (Map.Entry<byte[], byte[]> row : state.rows().entrySet()) {
                bytes += row.getKey().length + row.getValue().length;
            }
        }
        return new KvFigures(0, bytes, 0, false, false);
    }

    private static StorageException damaged(Path file, String found) {
        return new StorageException(
                ErrorCode.CORRUPT_DATA, "the data file " + file + " is damaged: " + found);
    }

    private static StorageException failed(String what, Path folder, IOException cause) {
        return new StorageException(
                ErrorCode.INTERNAL, "could not " + what + " " + folder + ": " + cause, cause);
    }

    @Override
    public synchronized void close() {
        closed = true;
        state = MemoryKvState.EMPTY;
    }
}

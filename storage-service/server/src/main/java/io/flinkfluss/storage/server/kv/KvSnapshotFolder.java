package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.log.Folders;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** One snapshot: a folder that is opened, read-only, by its first scan. Thread-safe. */
final class KvSnapshotFolder implements AutoCloseable {
    private final FrozenTable table;
    private final Path folder;
    private final KvMemory memory;

    /** Readers share it; opening and closing the store take it alone. */
    private final ReentrantReadWriteLock usage = new ReentrantReadWriteLock();

    private Opened opened;
    private boolean closed;
    private volatile boolean forced;
    private volatile boolean retired;
    private int scans;
    private long lastUsedMillis;

    private record Opened(
            DBOptions databaseOptions,
            ColumnFamilyOptions familyOptions,
            ColumnFamilyHandle rows,
            RocksDB database) {
        void close() {
            rows.close();
            database.close();
            familyOptions.close();
            databaseOptions.close();
        }
    }

    KvSnapshotFolder(FrozenTable table, Path folder, KvMemory memory, long usedAtMillis) {
        this.table = table;
        this.folder = folder;
        this.memory = memory;
        this.lastUsedMillis = usedAtMillis;
    }

    FrozenTable table() {
        return table;
    }

    boolean isAt(Path path) {
        return folder.equals(path);
    }

    synchronized void use(long nowMillis) {
        scans++;
        lastUsedMillis = Math.max(lastUsedMillis, nowMillis);
    }

    synchronized void scanEnded() {
        scans--;
    }

    synchronized boolean isIdleSince(long millis) {
        return scans == 0 && lastUsedMillis <= millis;
    }

    /** After {@link #use}; the cursor calls {@link #scanEnded}. */
    KvCursor scan(KvScan scan) {
        usage.writeLock().lock();
        try {
            if (closed) {
                throw gone();
            }
            if (opened == null) {
                opened = open();
            }
            return new SnapshotCursor(this, opened.database(), scan);
        } catch (RuntimeException e) {
            scanEnded();
            throw e;
        } finally {
            usage.writeLock().unlock();
        }
    }

    private Opened open() {
        DBOptions databaseOptions = memory.databaseOptions();
        ColumnFamilyOptions familyOptions = memory.columnFamilyOptions(false);
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try {
            RocksDB database =
                    RocksDB.openReadOnly(
                            databaseOptions,
                            folder.toString(),
                            List.of(
                                    new ColumnFamilyDescriptor(
                                            RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions)),
                            handles);
            return new Opened(databaseOptions, familyOptions, handles.get(0), database);
        } catch (RocksDBException e) {
            familyOptions.close();
            databaseOptions.close();
            throw KvErrors.failed("open", folder, e);
        }
    }

    /** Runs a read while the store cannot be closed; empty when it was closed before. */
    <T> Optional<T> whileOpen(Supplier<T> read) {
        usage.readLock().lock();
        try {
            return closed ? Optional.empty() : Optional.of(read.get());
        } finally {
            usage.readLock().unlock();
        }
    }

    void retire() {
        retired = true;
    }

    /** Why there is nothing to read any more. */
    StorageException gone() {
        return retired ? KvErrors.replaced(folder) : KvSnapshots.notFound(table.snapshotId());
    }

    Path folder() {
        return folder;
    }

    void force() throws IOException {
        if (forced) {
            return;
        }
        try {
            Folders.forceTree(folder);
            forced = true;
        } catch (NoSuchFileException | NotDirectoryException released) {
            // Nobody can read it any more.
        }
    }

    @Override
    public void close() {
        usage.writeLock().lock();
        try {
            if (!closed && opened != null) {
                opened.close();
            }
            closed = true;
        } finally {
            usage.writeLock().unlock();
        }
    }
}

package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.server.log.Folders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Status;
import org.rocksdb.WriteOptions;

/**
 * The current rows of all primary-key tables of one shard. Nothing is durable before {@link
 * #checkpoint}; what belongs to it is replayed. One thread writes, any thread reads.
 */
public final class KvStore implements AutoCloseable {
    private static final byte[] META = "meta".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MARK = "mark".getBytes(StandardCharsets.US_ASCII);

    private static final List<Path> NOTHING = List.of();

    private final Path folder;
    private final DBOptions databaseOptions;
    private final ColumnFamilyOptions familyOptions;
    private final RocksDB database;
    private final ColumnFamilyHandle rows;
    private final ColumnFamilyHandle meta;
    private final WriteOptions writeOptions = new WriteOptions().setDisableWAL(true);
    private final ReadOptions readOptions = new ReadOptions();

    /** Readers share it, closing takes it alone: a closed store must never be touched. */
    private final ReentrantReadWriteLock usage = new ReentrantReadWriteLock();

    /** Their buffers are large; more threads than this at once pay for new ones. */
    private final BlockingQueue<BatchedGet> idleGets = new ArrayBlockingQueue<>(8);

    private boolean closed;
    private volatile boolean retired;

    private KvStore(
            Path folder,
            DBOptions databaseOptions,
            ColumnFamilyOptions familyOptions,
            RocksDB database,
            List<ColumnFamilyHandle> handles) {
        this.folder = folder;
        this.databaseOptions = databaseOptions;
        this.familyOptions = familyOptions;
        this.database = database;
        this.rows = handles.get(0);
        this.meta = handles.get(1);
    }

    /**
     * Opens the store, empty when the folder does not exist.
     *
     * @throws StorageException CORRUPT_DATA
     */
    public static KvStore open(Path folder, KvMemory memory) {
        DBOptions databaseOptions = memory.databaseOptions();
        ColumnFamilyOptions familyOptions = memory.columnFamilyOptions();
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        try {
            RocksDB database =
                    RocksDB.open(
                            databaseOptions,
                            folder.toString(),
                            List.of(
                                    new ColumnFamilyDescriptor(
                                            RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions),
                                    new ColumnFamilyDescriptor(META, familyOptions)),
                            handles);
            return new KvStore(folder, databaseOptions, familyOptions, database, handles);
        } catch (RocksDBException e) {
            familyOptions.close();
            databaseOptions.close();
            throw failed("open", folder, e);
        }
    }

    /**
     * Makes the folder of a store equal to a checkpoint, mostly by hard links, or empty; what was
     * there is deleted.
     */
    public static void restore(Optional<Path> checkpoint, Path folder) {
        try {
            Folders.deleteTree(folder);
            Files.createDirectories(folder);
            for (Path file : checkpoint.isPresent() ? Folders.list(checkpoint.get()) : NOTHING) {
                Path target = folder.resolve(file.getFileName());
                // Data files never change; the others are written in place.
                if (file.getFileName().toString().endsWith(".sst")) {
                    Files.createLink(target, file);
                } else {
                    Files.copy(file, target);
                }
            }
        } catch (IOException e) {
            throw new StorageException(
                    ErrorCode.INTERNAL,
                    "could not restore " + folder + " from " + checkpoint + ": " + e,
                    e);
        }
    }

    /** The current row of each key, null without one. */
    public List<EncodedRow> get(BucketId bucket, List<byte[]> keys) {
        List<EncodedRow> found = new ArrayList<>(keys.size());
        BatchedGet get = idleGets.poll();
        usage.readLock().lock();
        try {
            requireOpen();
            get = get == null ? new BatchedGet() : get;
            get.get(database, readOptions, bucket, keys, found);
        } catch (RocksDBException e) {
            throw failed("read", folder, e);
        } finally {
            usage.readLock().unlock();
        }
        idleGets.offer(get);
        return found;
    }

    /**
     * Every current row whose key begins with the prefix, in key order.
     *
     * @throws StorageException RECORD_TOO_LARGE when they are larger than {@code limitBytes}
     */
    public List<EncodedRow> getPrefix(BucketId bucket, byte[] prefix, long limitBytes) {
        byte[] from = StoreKeys.key(bucket, prefix);
        List<EncodedRow> found = new ArrayList<>();
        long bytes = 0;
        usage.readLock().lock();
        try {
            requireOpen();
            try (Slice end = new Slice(StoreKeys.after(from));
                    ReadOptions options = new ReadOptions().setIterateUpperBound(end);
                    RocksIterator iterator = database.newIterator(options)) {
                for (iterator.seek(from); iterator.isValid(); iterator.next()) {
                    EncodedRow row = StoreKeys.row(ByteBuffer.wrap(iterator.value()));
                    bytes += row.bytes().length;
                    if (bytes > limitBytes) {
                        throw tooManyRows(bucket, found.size(), limitBytes);
                    }
                    found.add(row);
                }
                iterator.status();
            }
        } catch (RocksDBException e) {
            throw failed("read", folder, e);
        } finally {
            usage.readLock().unlock();
        }
        return found;
    }

    private static StorageException tooManyRows(BucketId bucket, int rows, long limitBytes) {
        return new StorageException(
                ErrorCode.RECORD_TOO_LARGE,
                "more than "
                        + rows
                        + " rows of bucket "
                        + bucket
                        + " have this key prefix; one answer holds "
                        + limitBytes
                        + " bytes. Use a longer prefix or scan the table.");
    }

    /** Remembers how far the store is, without changing rows. */
    public void remember(byte[] mark) {
        try {
            database.put(meta, writeOptions, MARK, mark);
        } catch (RocksDBException e) {
            throw failed("write", folder, e);
        }
    }

    /** Applies the changes all at once and remembers how far the store is. */
    public void apply(KvChanges changes, byte[] mark) {
        try {
            changes.batch().put(meta, MARK, mark);
            database.write(writeOptions, changes.batch());
        } catch (RocksDBException e) {
            throw failed("write", folder, e);
        }
    }

    /** What was remembered last, empty before the first time. */
    public byte[] mark() {
        try {
            byte[] mark = database.get(meta, MARK);
            return mark == null ? new byte[0] : mark;
        } catch (RocksDBException e) {
            throw failed("read", folder, e);
        }
    }

    /** Writes most of what is only in memory, so that {@link #checkpoint} is quick. Any thread. */
    public void flush() {
        usage.readLock().lock();
        try (FlushOptions options = new FlushOptions().setAllowWriteStall(false)) {
            requireOpen();
            database.flush(options, List.of(rows, meta));
        } catch (RocksDBException e) {
            throw failed("write", folder, e);
        } finally {
            usage.readLock().unlock();
        }
    }

    /**
     * Reads everything.
     *
     * @throws StorageException CORRUPT_DATA
     */
    public void verify() {
        try {
            database.verifyChecksum();
        } catch (RocksDBException e) {
            throw failed("verify", folder, e);
        }
    }

    /** From now on reads fail with NOT_READY: another state takes the place of this one. */
    public void retire() {
        retired = true;
    }

    /** Makes a durable copy of the present state in a new folder, mostly by hard links. */
    public void checkpoint(Path target) {
        try (Checkpoint checkpoint = Checkpoint.create(database)) {
            checkpoint.createCheckpoint(target.toString());
        } catch (RocksDBException e) {
            throw failed("copy to " + target, folder, e);
        }
    }

    /** Size and health of the store; all zero after it was closed. */
    public KvFigures figures() {
        usage.readLock().lock();
        try {
            if (closed) {
                return new KvFigures(0, 0, 0, false, false);
            }
            return new KvFigures(
                    property("rocksdb.live-sst-files-size"),
                    property("rocksdb.cur-size-all-mem-tables"),
                    property("rocksdb.num-files-at-level0"),
                    property("rocksdb.compaction-pending") > 0,
                    property("rocksdb.is-write-stopped") > 0);
        } catch (RocksDBException e) {
            throw failed("ask for figures of", folder, e);
        } finally {
            usage.readLock().unlock();
        }
    }

    private long property(String name) throws RocksDBException {
        return Long.parseLong(database.getProperty(rows, name));
    }

    private void requireOpen() {
        if (retired) {
            throw replaced(folder);
        }
        if (closed) {
            throw new StorageException(
                    ErrorCode.CLOSED, "the key-value state in " + folder + " is closed");
        }
    }

    static StorageException replaced(Path folder) {
        return new StorageException(
                ErrorCode.NOT_READY,
                "the replica in "
                        + folder
                        + " is being replaced by a checkpoint from another node; read again");
    }

    static StorageException failed(String what, Path folder, RocksDBException cause) {
        Status status = cause.getStatus();
        ErrorCode error = ErrorCode.INTERNAL;
        String advice = ". Check that disk.";
        if (status != null && status.getSubCode() == Status.SubCode.NoSpace) {
            error = ErrorCode.DISK_FULL;
            advice = ". Free some space on that disk.";
        } else if (status != null && status.getCode() == Status.Code.Corruption) {
            error = ErrorCode.CORRUPT_DATA;
            advice =
                    ". Check the disk, then restore this node's data from a backup or another"
                            + " node.";
        }
        return new StorageException(
                error,
                "could not "
                        + what
                        + " the key-value state in "
                        + folder
                        + ": "
                        + cause.getMessage()
                        + advice,
                cause);
    }

    @Override
    public void close() {
        usage.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                readOptions.close();
                writeOptions.close();
                rows.close();
                meta.close();
                database.close();
                familyOptions.close();
                databaseOptions.close();
            }
        } finally {
            usage.writeLock().unlock();
        }
    }
}

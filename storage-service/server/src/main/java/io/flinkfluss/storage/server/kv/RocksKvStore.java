package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.table.BucketId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A store in RocksDB, without its log. */
final class RocksKvStore implements KvStore {
    private static final byte[] META = "meta".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MARK = "mark".getBytes(StandardCharsets.US_ASCII);

    private final Path folder;
    private final KvMemory memory;

    /** Changed by the writing thread with {@link #usage} taken alone; null when that failed. */
    private Opened opened;

    private final WriteOptions writeOptions = new WriteOptions().setDisableWAL(true);
    private final ReadOptions readOptions = new ReadOptions();

    /** Readers share it, closing takes it alone: a closed store must never be touched. */
    private final ReentrantReadWriteLock usage = new ReentrantReadWriteLock();

    /** Their buffers are large; more threads than this at once pay for new ones. */
    private final BlockingQueue<BatchedGet> idleGets = new ArrayBlockingQueue<>(8);

    private boolean closed;
    private volatile boolean retired;

    private RocksKvStore(Path folder, KvMemory memory, Opened opened) {
        this.folder = folder;
        this.memory = memory;
        this.opened = opened;
    }

    /** As {@link KvStores#open}. */
    static RocksKvStore open(Path folder, KvMemory memory) {
        Opened opened = Opened.of(folder, memory, false);
        RocksKvStore store = new RocksKvStore(folder, memory, opened);
        try {
            store.openAnewIfGrown();
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /** RocksDB, and what belongs to it. */
    private record Opened(
            DBOptions databaseOptions,
            ColumnFamilyOptions familyOptions,
            RocksDB database,
            ColumnFamilyHandle rows,
            ColumnFamilyHandle meta,
            boolean isLarge) {
        static Opened of(Path folder, KvMemory memory, boolean isLarge) {
            DBOptions databaseOptions = memory.databaseOptions();
            ColumnFamilyOptions familyOptions = memory.columnFamilyOptions(isLarge);
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
                return new Opened(
                        databaseOptions,
                        familyOptions,
                        database,
                        handles.get(0),
                        handles.get(1),
                        isLarge);
            } catch (RocksDBException e) {
                familyOptions.close();
                databaseOptions.close();
                throw KvErrors.failed("open", folder, e);
            }
        }

        void close() {
            rows.close();
            meta.close();
            database.close();
            familyOptions.close();
            databaseOptions.close();
        }
    }

    /**
     * A store that has outgrown how it was opened is opened anew, once in its life. Everything must
     * be in its files. Readers wait for that moment.
     */
    private void openAnewIfGrown() {
        try {
            if (opened.isLarge() || !memory.isLarge(property("rocksdb.live-sst-files-size"))) {
                return;
            }
        } catch (RocksDBException e) {
            throw KvErrors.failed("ask for figures of", folder, e);
        }
        usage.writeLock().lock();
        try {
            opened.close();
            opened = null;
            opened = Opened.of(folder, memory, true);
        } finally {
            closed = opened == null;
            usage.writeLock().unlock();
        }
    }

    /** For the writing thread; others hold {@link #usage} and have asked whether it is open. */
    private RocksDB database() {
        if (opened == null) {
            throw KvErrors.closed(folder);
        }
        return opened.database();
    }

    @Override
    public List<EncodedRow> get(BucketId bucket, List<byte[]> keys) {
        List<EncodedRow> found = new ArrayList<>(keys.size());
        BatchedGet get = idleGets.poll();
        usage.readLock().lock();
        try {
            requireOpen();
            get = get == null ? new BatchedGet() : get;
            get.get(database(), readOptions, bucket, keys, found);
        } catch (RocksDBException e) {
            throw KvErrors.failed("read", folder, e);
        } finally {
            usage.readLock().unlock();
        }
        idleGets.offer(get);
        return found;
    }

    @Override
    public List<EncodedRow> getPrefix(BucketId bucket, byte[] prefix, long limitBytes) {
        byte[] from = StoreKeys.key(bucket, prefix);
        List<EncodedRow> found = new ArrayList<>();
        long bytes = 0;
        usage.readLock().lock();
        try {
            requireOpen();
            try (Slice end = new Slice(StoreKeys.after(from));
                    ReadOptions options = new ReadOptions().setIterateUpperBound(end);
                    RocksIterator iterator = database().newIterator(options)) {
                for (iterator.seek(from); iterator.isValid(); iterator.next()) {
                    EncodedRow row = StoreKeys.row(ByteBuffer.wrap(iterator.value()));
                    bytes += row.bytes().length;
                    if (bytes > limitBytes) {
                        throw KvErrors.tooManyRows(bucket, found.size(), limitBytes);
                    }
                    found.add(row);
                }
                iterator.status();
            }
        } catch (RocksDBException e) {
            throw KvErrors.failed("read", folder, e);
        } finally {
            usage.readLock().unlock();
        }
        return found;
    }

    @Override
    public KvChanges changes() {
        return new RocksKvChanges();
    }

    @Override
    public void remember(byte[] mark) {
        try {
            database().put(opened.meta(), writeOptions, MARK, mark);
        } catch (RocksDBException e) {
            throw KvErrors.failed("write", folder, e);
        }
    }

    @Override
    public void apply(KvChanges changes, byte[] mark) {
        try {
            WriteBatch batch = ((RocksKvChanges) changes).batch();
            batch.put(opened.meta(), MARK, mark);
            database().write(writeOptions, batch);
        } catch (RocksDBException e) {
            throw KvErrors.failed("write", folder, e);
        }
    }

    @Override
    public byte[] mark() {
        try {
            byte[] mark = database().get(opened.meta(), MARK);
            return mark == null ? new byte[0] : mark;
        } catch (RocksDBException e) {
            throw KvErrors.failed("read", folder, e);
        }
    }

    @Override
    public void flush() {
        usage.readLock().lock();
        try (FlushOptions options = new FlushOptions().setAllowWriteStall(false)) {
            requireOpen();
            database().flush(options, List.of(opened.rows(), opened.meta()));
        } catch (RocksDBException e) {
            throw KvErrors.failed("write", folder, e);
        } finally {
            usage.readLock().unlock();
        }
    }

    @Override
    public void verify() {
        try {
            database().verifyChecksum();
        } catch (RocksDBException e) {
            throw KvErrors.failed("verify", folder, e);
        }
    }

    @Override
    public void retire() {
        retired = true;
    }

    @Override
    public void checkpoint(Path target) {
        try (Checkpoint checkpoint = Checkpoint.create(database())) {
            checkpoint.createCheckpoint(target.toString());
        } catch (RocksDBException e) {
            throw KvErrors.failed("copy to " + target, folder, e);
        }
        openAnewIfGrown();
    }

    @Override
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
            throw KvErrors.failed("ask for figures of", folder, e);
        } finally {
            usage.readLock().unlock();
        }
    }

    private long property(String name) throws RocksDBException {
        return Long.parseLong(database().getProperty(opened.rows(), name));
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
    public void close() {
        usage.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                readOptions.close();
                writeOptions.close();
                opened.close();
            }
        } finally {
            usage.writeLock().unlock();
        }
    }
}

package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.server.log.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * The memory that all key-value stores of a node share, and how they are set up. Close it after the
 * stores. Thread-safe.
 */
public final class KvMemory implements KvStores, AutoCloseable {
    static {
        loadLibrary();
    }

    /**
     * Unpacks and loads RocksDB's library, which takes a quarter of a second. Who starts a server
     * calls it on a thread of its own while other things start; what uses this class meanwhile
     * waits, and fails when it failed.
     */
    public static void load() {
        // The class is initialized before this runs.
    }

    private static final int METADATA_BLOCK = 4 * 1024;

    /**
     * The cache has parts with locks of their own. One has room for the filter of the largest file
     * many times over.
     */
    private static final long LEAST_PART = 16L << 20;

    private static final int MOST_PART_BITS = 6;

    /** Filters and indexes of so many times the cache's bytes take a quarter of it. */
    private static final int DATA_PER_CACHE = 10;

    /** The share of the cache that rows do not drive filters and indexes out of. */
    private static final double FOR_FILTERS = 0.3;

    private final KvConfig config;
    private final Cache cache;
    private final WriteBufferManager writeBuffers;
    private final BloomFilter filter = new BloomFilter(10, false);

    public KvMemory(KvConfig config) {
        this.config = config;
        this.cache = new LRUCache(config.cacheBytes(), partBits(config), false, FOR_FILTERS);
        this.writeBuffers = new WriteBufferManager(config.writeBufferBytes(), cache);
    }

    /** Logarithm of the number of parts. */
    private static int partBits(KvConfig config) {
        long parts = Math.max(1, config.cacheBytes() / LEAST_PART);
        return Math.min(MOST_PART_BITS, Long.SIZE - 1 - Long.numberOfLeadingZeros(parts));
    }

    @Override
    public KvStore open(Path folder) {
        return RocksKvStore.open(folder, this);
    }

    /** RocksDB by itself deletes what it unpacked when the process ends in order, else never. */
    private static void loadLibrary() {
        try {
            Path folder = Files.createTempDirectory("fluss-rocksdb-");
            try {
                NativeLibraryLoader.getInstance().loadLibrary(folder.toString());
            } finally {
                deleteIfPossible(folder);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "RocksDB's library (14 MB) cannot be unpacked into the temporary folder "
                            + System.getProperty("java.io.tmpdir")
                            + "; make room there, or name another with -Djava.io.tmpdir",
                    failure);
        }
        RocksDB.loadLibrary();
    }

    /** What is loaded stays loaded without its file, where the system lets it be deleted. */
    private static void deleteIfPossible(Path folder) {
        try {
            Folders.deleteTree(folder);
        } catch (IOException inUse) {
            // RocksDB deletes it when the process ends in order.
            return;
        }
    }

    /** Options of one store; the caller closes them after the store. */
    DBOptions databaseOptions() {
        return new DBOptions()
                .setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setWriteBufferManager(writeBuffers)
                .setMaxOpenFiles(512)
                .setMaxBackgroundJobs(2)
                // The live folder is rebuilt from a checkpoint at every start.
                .setAvoidFlushDuringShutdown(true)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2);
    }

    /** Whether a store with files of so many bytes has more than its share of the cache is for. */
    boolean isLarge(long fileBytes) {
        return fileBytes
                > DATA_PER_CACHE
                        * (config.cacheBytes()
                                * ((double) config.memtableBytes() / config.writeBufferBytes()));
    }

    /**
     * Options of what a store writes; every store reads everything.
     *
     * @param isLarge filters and indexes are in parts, of which only those in use have to be in the
     *     cache. While all of them fit, as wholes they are found in half the time
     */
    ColumnFamilyOptions columnFamilyOptions(boolean isLarge) {
        BlockBasedTableConfig table =
                new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setFilterPolicy(filter)
                        .setBlockSize(4 * 1024)
                        .setCacheIndexAndFilterBlocks(true)
                        .setPinL0FilterAndIndexBlocksInCache(true)
                        .setIndexType(
                                isLarge ? IndexType.kTwoLevelIndexSearch : IndexType.kBinarySearch)
                        .setPartitionFilters(isLarge)
                        .setMetadataBlockSize(METADATA_BLOCK)
                        .setPinTopLevelIndexAndFilter(true)
                        .setCacheIndexAndFilterBlocksWithHighPriority(true)
                        .setFormatVersion(5);
        return new ColumnFamilyOptions()
                .setTableFormatConfig(table)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setWriteBufferSize(config.memtableBytes())
                .setMaxWriteBufferNumber(KvConfig.MEMTABLES)
                // Most keys of an insert are new: saves the search for them.
                .setMemtablePrefixBloomSizeRatio(0.1)
                .setMemtableWholeKeyFiltering(true)
                .setLevelCompactionDynamicLevelBytes(true);
    }

    /** Bytes of the shared cache, memtables included. */
    public long usedBytes() {
        return cache.getUsage();
    }

    public KvConfig config() {
        return config;
    }

    @Override
    public void close() {
        writeBuffers.close();
        filter.close();
        cache.close();
    }
}

package io.flinkfluss.storage.server.kv;

import java.nio.file.Path;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * The memory that all key-value stores of a node share, and how they are set up. Close it after the
 * stores. Thread-safe.
 */
public final class KvMemory implements KvStores, AutoCloseable {
    static {
        RocksDB.loadLibrary();
    }

    private final KvConfig config;
    private final Cache cache;
    private final WriteBufferManager writeBuffers;
    private final BloomFilter filter = new BloomFilter(10, false);

    public KvMemory(KvConfig config) {
        this.config = config;
        this.cache = new LRUCache(config.cacheBytes());
        this.writeBuffers = new WriteBufferManager(config.writeBufferBytes(), cache);
    }

    @Override
    public KvStore open(Path folder) {
        return RocksKvStore.open(folder, this);
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

    ColumnFamilyOptions columnFamilyOptions() {
        BlockBasedTableConfig table =
                new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setFilterPolicy(filter)
                        .setBlockSize(16 * 1024)
                        .setCacheIndexAndFilterBlocks(true)
                        .setPinL0FilterAndIndexBlocksInCache(true)
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

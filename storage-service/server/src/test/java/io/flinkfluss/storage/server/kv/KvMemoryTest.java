package io.flinkfluss.storage.server.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TableProperties;

/** Many stores of a node share one cache and one bound for rows that are in memory only. */
final class KvMemoryTest {
    private static final int MIB = 1 << 20;
    private static final int STORES = 32;

    /** Stores that lag behind hold this much: memtables, each with one write of a MiB too much. */
    private static final long MOST = (long) KvConfig.MEMTABLES * STORES * (MIB + MIB);

    /** More than ten times a store's share of the cache, which is a sixteenth. */
    private static final int LARGE_MIB = 24;

    private static final BucketId BUCKET = BucketId.of(new TableId(1), 0);

    private final KvMemory memory =
            new KvMemory(new KvConfig(32L * MIB, 16L * MIB).forStores(STORES));
    private final List<KvStore> stores = new ArrayList<>();

    @AfterEach
    void close() {
        stores.forEach(KvStore::close);
        memory.close();
    }

    @Test
    void memtablesOfTensOfStoresStayWithinTheOneBound(@TempDir Path folder) {
        for (int i = 0; i < STORES; i++) {
            stores.add(memory.open(folder.resolve("kv" + i)));
        }
        long written = 0;
        for (int round = 0; round < 16; round++) {
            for (KvStore store : stores) {
                write(store, round);
                written += MIB;
                assertThat(memtables()).isLessThan(MOST);
            }
        }

        assertThat(written).isGreaterThan(2 * MOST);
        assertThat(memory.usedBytes()).isLessThan(memory.config().cacheBytes() + MOST);
    }

    @Test
    void filtersAndIndexesAreWholeWhileTheyFitIntoTheCache(@TempDir Path folder) throws Exception {
        try (KvStore store = memory.open(folder)) {
            writeSmallRows(store);
        }

        assertThat(tablesOfSmallRows(folder))
                .isNotEmpty()
                .allSatisfy(table -> assertThat(table.getIndexPartitions()).isZero());
    }

    /**
     * As wholes they would drive each other out of the cache, so that each key reads a large one
     * from the disk.
     */
    @Test
    void filtersAndIndexesOfALargeStoreAreInParts(@TempDir Path folder) throws Exception {
        Path kv = folder.resolve("kv");
        AtomicBoolean ended = new AtomicBoolean();
        try (KvStore store = memory.open(kv)) {
            write(store, 0);
            CompletableFuture<Integer> readers =
                    CompletableFuture.supplyAsync(() -> readUntil(ended, store));
            for (int round = 1; round < LARGE_MIB; round++) {
                write(store, round);
            }
            store.checkpoint(folder.resolve("checkpoint"));
            ended.set(true);
            assertThat(readers.get(30, TimeUnit.SECONDS)).isPositive();
            assertThat(tables(folder.resolve("checkpoint"))).isNotEmpty();

            writeSmallRows(store);
            for (int round = 0; round < LARGE_MIB; round++) {
                assertThat(store.get(BUCKET, List.of(key(round, 0))).get(0)).isNotNull();
            }
            assertThat(store.mark()).hasSize(16);
        }
        assertThat(tablesOfSmallRows(kv)).isNotEmpty().allSatisfy(KvMemoryTest::isInParts);

        try (KvStore again = memory.open(kv)) {
            writeSmallRows(again);
        }
        assertThat(tablesOfSmallRows(kv)).allSatisfy(KvMemoryTest::isInParts);
    }

    private static int readUntil(AtomicBoolean ended, KvStore store) {
        int reads = 0;
        while (!ended.get()) {
            assertThat(store.get(BUCKET, List.of(key(0, 0))).get(0)).isNotNull();
            reads++;
        }
        return reads;
    }

    private static void isInParts(TableProperties table) {
        assertThat(table.getIndexPartitions()).isGreaterThan(1);
        assertThat(table.getFilterSize()).isGreaterThan(100_000);
    }

    private static void writeSmallRows(KvStore store) {
        try (KvChanges changes = store.changes()) {
            for (int i = 0; i < 100_000; i++) {
                byte[] key = ByteBuffer.allocate(8).putLong(-1L - i).array();
                changes.put(BUCKET, key, new EncodedRow(1, key));
            }
            store.apply(changes, new byte[16]);
        }
        store.flush();
    }

    private static List<TableProperties> tablesOfSmallRows(Path folder) throws RocksDBException {
        return tables(folder).stream().filter(table -> table.getNumEntries() > 10_000).toList();
    }

    private static List<TableProperties> tables(Path folder) throws RocksDBException {
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        List<ColumnFamilyDescriptor> families =
                List.of(
                        new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
                        new ColumnFamilyDescriptor("meta".getBytes(StandardCharsets.US_ASCII)));
        try (RocksDB database = RocksDB.openReadOnly(folder.toString(), families, handles)) {
            List<TableProperties> all =
                    List.copyOf(database.getPropertiesOfAllTables(handles.get(0)).values());
            handles.forEach(ColumnFamilyHandle::close);
            return all;
        }
    }

    private long memtables() {
        return stores.stream().mapToLong(store -> store.figures().memtableBytes()).sum();
    }

    private static void write(KvStore store, int round) {
        byte[] value = new byte[64 * 1024];
        new Random(round).nextBytes(value);
        try (KvChanges changes = store.changes()) {
            for (int i = 0; i < MIB / value.length; i++) {
                changes.put(BUCKET, key(round, i), new EncodedRow(1, value));
            }
            store.apply(changes, new byte[16]);
        }
    }

    private static byte[] key(int round, int number) {
        return ByteBuffer.allocate(8).putInt(round).putInt(number).array();
    }
}

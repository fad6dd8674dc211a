package io.flinkfluss.storage.server.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many stores of a node share one cache and one bound for rows that are in memory only. */
final class KvMemoryTest {
    private static final int MIB = 1 << 20;
    private static final int STORES = 32;

    /** Stores that lag behind hold this much: memtables, each with one write of a MiB too much. */
    private static final long MOST = (long) KvConfig.MEMTABLES * STORES * (MIB + MIB);

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

    private long memtables() {
        return stores.stream().mapToLong(store -> store.figures().memtableBytes()).sum();
    }

    private static void write(KvStore store, int round) {
        byte[] value = new byte[64 * 1024];
        try (KvChanges changes = store.changes()) {
            for (int i = 0; i < MIB / value.length; i++) {
                byte[] key = ByteBuffer.allocate(8).putInt(round).putInt(i).array();
                changes.put(BUCKET, key, new EncodedRow(1, value));
            }
            store.apply(changes, new byte[16]);
        }
    }
}

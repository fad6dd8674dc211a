package io.flinkfluss.storage.server.kv;

import org.junit.jupiter.api.AfterEach;

final class RocksKvStoreTest extends KvStoreContract {
    private final KvMemory memory = new KvMemory(new KvConfig(8 << 20, 4 << 20));

    @AfterEach
    void close() {
        memory.close();
    }

    @Override
    KvStores stores() {
        return memory;
    }
}

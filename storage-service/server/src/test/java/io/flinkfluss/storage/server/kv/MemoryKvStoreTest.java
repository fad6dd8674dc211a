package io.flinkfluss.storage.server.kv;

final class MemoryKvStoreTest extends KvStoreContract {
    @Override
    KvStores stores() {
        return MemoryKvStore::open;
    }
}

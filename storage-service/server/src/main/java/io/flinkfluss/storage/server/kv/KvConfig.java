package io.flinkfluss.storage.server.kv;

/**
 * Memory of key-value state, shared by all shards of a node.
 *
 * @param cacheBytes blocks, indexes and filters read from disk
 * @param writeBufferBytes rows not yet written to disk; beyond it a store that is written to goes
 *     to disk early, but others keep what they have
 * @param memtableBytes a store's rows in memory go to disk when they take so much, so that {@link
 *     #MEMTABLES} times this is what one store can hold, whatever the others do
 */
public record KvConfig(long cacheBytes, long writeBufferBytes, long memtableBytes) {
    /** Of one store there are at most so many memtables at once. */
    static final int MEMTABLES = 3;

    private static final int FEW_STORES = 4;
    private static final long SMALLEST_MEMTABLE = 1L << 20;

    public static final KvConfig DEFAULT = new KvConfig(256L << 20, 128L << 20);

    /** Few stores. */
    public KvConfig(long cacheBytes, long writeBufferBytes) {
        this(cacheBytes, writeBufferBytes, memtable(writeBufferBytes, FEW_STORES));
    }

    /** The same for so many stores: the more there are, the less each may hold. */
    public KvConfig forStores(int stores) {
        return new KvConfig(cacheBytes, writeBufferBytes, memtable(writeBufferBytes, stores));
    }

    private static long memtable(long writeBufferBytes, int stores) {
        return Math.max(SMALLEST_MEMTABLE, writeBufferBytes / Math.max(FEW_STORES, stores));
    }
}

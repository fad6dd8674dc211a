package io.flinkfluss.storage.server.kv;

/**
 * Memory of key-value state, shared by all shards of a node.
 *
 * @param cacheBytes blocks, indexes and filters read from disk
 * @param writeBufferBytes rows not yet written to disk
 */
public record KvConfig(long cacheBytes, long writeBufferBytes) {
    public static final KvConfig DEFAULT = new KvConfig(256L << 20, 128L << 20);
}

package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.table.BucketId;
import java.nio.file.Path;
import java.util.List;

/**
 * The current rows of all primary-key tables of one shard. Nothing is durable before {@link
 * #checkpoint}; what belongs to it is replayed. One thread writes, any thread reads.
 *
 * <p>A checkpoint is a folder of files: those that end with {@link KvStores#DATA_FILE} are shared
 * with the live folder by hard links and notice damage themselves, when they are read; the others
 * are small and own copies, and whoever keeps the checkpoint keeps their checksums.
 */
public interface KvStore extends AutoCloseable {
    /**
     * The current row of each key, null without one.
     *
     * @throws StorageException CORRUPT_DATA, CLOSED, NOT_READY
     */
    List<EncodedRow> get(BucketId bucket, List<byte[]> keys);

    /**
     * Every current row whose key begins with the prefix, in key order.
     *
     * @throws StorageException RECORD_TOO_LARGE when they are larger than {@code limitBytes};
     *     CORRUPT_DATA, CLOSED, NOT_READY
     */
    List<EncodedRow> getPrefix(BucketId bucket, byte[] prefix, long limitBytes);

    /** An empty collection of changes for {@link #apply}; close it. */
    KvChanges changes();

    /** Applies changes of this store all at once and remembers how far the store is. */
    void apply(KvChanges changes, byte[] mark);

    /** Remembers how far the store is, without changing rows. */
    void remember(byte[] mark);

    /** What was remembered last, empty before the first time. */
    byte[] mark();

    /** Writes most of what is only in memory, so that {@link #checkpoint} is quick. Any thread. */
    void flush();

    /**
     * Reads everything.
     *
     * @throws StorageException CORRUPT_DATA
     */
    void verify();

    /** From now on reads fail with NOT_READY: another state takes the place of this one. */
    void retire();

    /** Makes a durable copy of the present state in a new folder, mostly by hard links. */
    void checkpoint(Path target);

    /** Size and health of the store; all zero after it was closed. Any thread. */
    KvFigures figures();

    /** From now on reads fail with CLOSED. What is not in a checkpoint may be lost. */
    @Override
    void close();
}

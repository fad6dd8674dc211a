package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.nio.ByteBuffer;

/** Walks the entries of a {@link KvBatch} in order; does not move the batch's own buffer. */
public final class KvBatchCursor {
    private final KvBatch batch;
    private final ByteBuffer entries;
    private int read;
    private byte[] key;
    private byte[] row;

    public KvBatchCursor(KvBatch batch) {
        this.batch = batch;
        this.entries = batch.entries().duplicate();
    }

    /**
     * Goes to the next entry; false at the end.
     *
     * @throws StorageException CORRUPT_DATA when the bytes are not as many well-formed entries as
     *     the batch says
     */
    public boolean next() {
        if (read == batch.count()) {
            if (entries.hasRemaining()) {
                throw damaged(entries.remaining() + " bytes follow the last entry");
            }
            return false;
        }
        key = readBytes(readVarint());
        int length = readVarint();
        row = length == 0 ? null : readBytes(length - 1);
        read++;
        return true;
    }

    public byte[] key() {
        return key;
    }

    /** The row, or null for a delete. */
    public byte[] row() {
        return row;
    }

    private byte[] readBytes(int length) {
        if (length < 0 || length > entries.remaining()) {
            throw damaged("a length of " + length + " with " + entries.remaining() + " bytes left");
        }
        byte[] bytes = new byte[length];
        entries.get(bytes);
        return bytes;
    }

    private int readVarint() {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            if (!entries.hasRemaining()) {
                throw damaged("no bytes left");
            }
            byte b = entries.get();
            value |= (b & 0x7F) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw damaged("a number of more than 5 bytes");
    }

    private StorageException damaged(String found) {
        return new StorageException(
                ErrorCode.CORRUPT_DATA,
                "entry "
                        + (read + 1)
                        + " of a key-value batch with "
                        + batch.count()
                        + " entries: found "
                        + found
                        + "; the batch is damaged or was built by an incompatible client");
    }
}

package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.format.Format;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Gathers upserts and deletes into a {@link KvBatch}. Not for several threads at once. */
public final class KvBatchBuilder {
    /** The message or log entry around it has the version. */
    static final Format FORMAT = Format.first("upsert batch", "row-and-key.md");

    private static final int INITIAL_BYTES = 1024;
    private final int schemaId;
    private byte[] entries = new byte[INITIAL_BYTES];
    private int size;
    private int count;
    private int sizeBefore;

    public KvBatchBuilder(int schemaId) {
        this.schemaId = schemaId;
    }

    /**
     * @param key {@link KeyCodec} form of the primary key
     * @param row {@link RowCodec} form of the whole row
     */
    public void upsert(byte[] key, byte[] row) {
        ensure(key.length + row.length + 10);
        sizeBefore = size;
        writeBytes(key);
        writeVarint(row.length + 1);
        System.arraycopy(row, 0, entries, size, row.length);
        size += row.length;
        count++;
    }

    public void delete(byte[] key) {
        ensure(key.length + 10);
        sizeBefore = size;
        writeBytes(key);
        writeVarint(0);
        count++;
    }

    /** Takes the newest entry out again; once after each that was added. */
    public void removeLast() {
        size = sizeBefore;
        count--;
    }

    public int count() {
        return count;
    }

    public int sizeInBytes() {
        return size;
    }

    /** The batch of what was added since the last call; at least one entry is needed. */
    public KvBatch build() {
        KvBatch batch = new KvBatch(schemaId, count, ByteBuffer.wrap(entries, 0, size).slice());
        entries = new byte[Math.max(INITIAL_BYTES, size)];
        size = 0;
        count = 0;
        return batch;
    }

    private void writeBytes(byte[] value) {
        writeVarint(value.length);
        System.arraycopy(value, 0, entries, size, value.length);
        size += value.length;
    }

    private void writeVarint(int value) {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            entries[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        entries[size++] = (byte) rest;
    }

    private void ensure(int more) {
        if (entries.length - size < more) {
            entries =
                    Arrays.copyOf(entries, Math.max(Math.addExact(size, more), 2 * entries.length));
        }
    }
}

package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.format.Format;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Where some batches of a segment begin: the first one and then one about every 64 KiB, by offset
 * and by commit time. It can always be rebuilt from the segment, so a stored one that is missing or
 * damaged is no loss. Thread-safe.
 */
final class SparseIndex {
    static final int INTERVAL = 64 * 1024;
    static final Format FORMAT = Format.first("segment index", "log-segment.md");
    private static final int ENTRY = 24;

    private long[] offsets = new long[8];
    private long[] positions = new long[8];
    private long[] millis = new long[8];
    private int size;

    /** A batch's place. */
    record Entry(long offset, long position) {}

    /** Batches come in order. */
    synchronized void add(long offset, long position, long commitMillis) {
        if (size > 0 && position - positions[size - 1] < INTERVAL) {
            return;
        }
        if (size == offsets.length) {
            offsets = Arrays.copyOf(offsets, size * 2);
            positions = Arrays.copyOf(positions, size * 2);
            millis = Arrays.copyOf(millis, size * 2);
        }
        offsets[size] = offset;
        positions[size] = position;
        millis[size++] = commitMillis;
    }

    synchronized int size() {
        return size;
    }

    /** The last known batch that begins at or before this offset; empty without one. */
    synchronized Optional<Entry> atOrBefore(long offset) {
        return entryBefore(offsets, offset == Long.MAX_VALUE ? offset : offset + 1);
    }

    /** The last known batch that was committed before this time; empty without one. */
    synchronized Optional<Entry> before(long commitMillis) {
        return entryBefore(millis, commitMillis);
    }

    private Optional<Entry> entryBefore(long[] keys, long key) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (keys[middle] < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0
                ? Optional.empty()
                : Optional.of(new Entry(offsets[low - 1], positions[low - 1]));
    }

    synchronized ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(12 + size * ENTRY);
        bytes.putInt(FORMAT.newest()).putInt(size);
        for (int i = 0; i < size; i++) {
            bytes.putLong(offsets[i]).putLong(positions[i]).putLong(millis[i]);
        }
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.array(), 0, bytes.position());
        return bytes.putInt((int) checksum.getValue()).flip();
    }

    /** The stored index without entries at or past {@code length}; empty when it is unusable. */
    static Optional<SparseIndex> load(Path file, long length) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        return decode(ByteBuffer.wrap(Files.readAllBytes(file)), length);
    }

    /** Reads what {@link #encode} gave, without entries at or past {@code length}. */
    static Optional<SparseIndex> decode(ByteBuffer bytes, long length) {
        try {
            int version = bytes.getInt();
            int count = bytes.getInt();
            if (version != FORMAT.newest()
                    || count < 0
                    || bytes.remaining() != count * (long) ENTRY + 4) {
                return Optional.empty();
            }
            CRC32C checksum = new CRC32C();
            checksum.update(bytes.duplicate().position(0).limit(bytes.limit() - 4));
            if ((int) checksum.getValue() != bytes.getInt(bytes.limit() - 4)) {
                return Optional.empty();
            }
            SparseIndex index = new SparseIndex();
            for (int i = 0; i < count; i++) {
                long offset = bytes.getLong();
                long position = bytes.getLong();
                long time = bytes.getLong();
                if (position < length) {
                    index.add(offset, position, time);
                }
            }
            return Optional.of(index);
        } catch (BufferUnderflowException e) {
            return Optional.empty();
        }
    }
}

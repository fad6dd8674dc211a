package io.flinkfluss.storage.server.kv;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** All rows of a store, by key as stored, and its mark; as bytes they have a checksum. */
record MemoryKvState(NavigableMap<byte[], byte[]> rows, byte[] mark) {
    static final MemoryKvState EMPTY =
            new MemoryKvState(new TreeMap<>(Arrays::compareUnsigned), new byte[0]);

    private static final int CHECKSUM = 4;

    MemoryKvState {
        mark = mark.clone();
    }

    ByteBuffer encode() {
        int length = CHECKSUM + 4 + mark.length;
        for (Map.Entry<byte[], byte[]> row : rows.entrySet()) {
            length += 8 + row.getKey().length + row.getValue().length;
        }
        ByteBuffer bytes = ByteBuffer.allocate(length).putInt(0).putInt(mark.length).put(mark);
        rows.forEach(
                (key, value) -> bytes.putInt(key.length).put(key).putInt(value.length).put(value));
        return bytes.flip().putInt(0, checksum(bytes));
    }

    /** Empty when the checksum is not that of the bytes. */
    static Optional<MemoryKvState> decode(ByteBuffer bytes) {
        if (bytes.remaining() < CHECKSUM || bytes.getInt(0) != checksum(bytes)) {
            return Optional.empty();
        }
        bytes.position(CHECKSUM);
        byte[] mark = next(bytes);
        NavigableMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
        while (bytes.hasRemaining()) {
            rows.put(next(bytes), next(bytes));
        }
        return Optional.of(new MemoryKvState(rows, mark));
    }

    private static byte[] next(ByteBuffer bytes) {
        byte[] next = new byte[bytes.getInt()];
        bytes.get(next);
        return next;
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.slice(CHECKSUM, bytes.limit() - CHECKSUM));
        return (int) checksum.getValue();
    }
}

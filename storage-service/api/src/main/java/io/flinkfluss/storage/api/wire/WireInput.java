package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.format.Format;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads what {@link WireOutput} wrote. Bytes that end early or make no sense give CORRUPT_DATA that
 * names the place; a version from the future gives INCOMPATIBLE_VERSION. Not thread-safe.
 */
public final class WireInput {
    private final ByteBuffer buffer;
    private final int start;

    public WireInput(byte[] bytes) {
        this(ByteBuffer.wrap(bytes));
    }

    /** Reads from the buffer's position to its limit; the buffer's own position stays. */
    public WireInput(ByteBuffer bytes) {
        buffer = bytes.duplicate();
        start = buffer.position();
    }

    /** The version byte that begins every message. @throws StorageException see {@link Format} */
    public int readVersion(Format format) {
        return format.check(readByte());
    }

    /** An unsigned byte. */
    public int readByte() {
        require(1);
        return buffer.get() & 0xFF;
    }

    public boolean readBoolean() {
        return readByte() != 0;
    }

    public int readInt() {
        return (int) readFixed(4);
    }

    public long readLong() {
        return readFixed(8);
    }

    public long readVarint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = readByte();
            value |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw corrupt("a number longer than 10 bytes");
    }

    public int readVarintAsInt() {
        long value = readVarint();
        if (value != (int) value) {
            throw corrupt("the number " + value + " where 32 bits are the limit");
        }
        return (int) value;
    }

    public long readZigzag() {
        long value = readVarint();
        return (value >>> 1) ^ -(value & 1);
    }

    /** A count of things that take at least one byte each. */
    public int readCount() {
        return checkLength(readVarint());
    }

    public byte[] readBytes() {
        return bytes(readCount());
    }

    /** Like {@link #readBytes}, without copying. */
    public ByteBuffer readSlice() {
        return readRaw(readCount());
    }

    public byte[] readNullableBytes() {
        long length = readVarint();
        return length == 0 ? null : bytes(checkLength(length - 1));
    }

    public String readString() {
        return new String(readBytes(), StandardCharsets.UTF_8);
    }

    public List<String> readStrings() {
        int count = readCount();
        List<String> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(readString());
        }
        return values;
    }

    public Map<String, String> readStringMap() {
        int count = readCount();
        Map<String, String> values = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            String key = readString();
            values.put(key, readString());
        }
        return values;
    }

    public int[] readNullableInts() {
        long length = readVarint();
        if (length == 0) {
            return null;
        }
        int[] values = new int[checkLength(length - 1)];
        for (int i = 0; i < values.length; i++) {
            values[i] = readVarintAsInt();
        }
        return values;
    }

    /** The next bytes as they are, without copying. */
    public ByteBuffer readRaw(int length) {
        require(length);
        ByteBuffer slice = buffer.slice(buffer.position(), length);
        buffer.position(buffer.position() + length);
        return slice;
    }

    public boolean hasRemaining() {
        return buffer.hasRemaining();
    }

    public int remaining() {
        return buffer.remaining();
    }

    /** The error for bytes at the current place that make no sense. */
    public StorageException corrupt(String found) {
        return new StorageException(
                ErrorCode.CORRUPT_DATA,
                "damaged message: found "
                        + found
                        + " at byte "
                        + (buffer.position() - start)
                        + " of "
                        + (buffer.limit() - start));
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return bytes;
    }

    private long readFixed(int length) {
        require(length);
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = (value << 8) | (buffer.get() & 0xFF);
        }
        return value;
    }

    private int checkLength(long length) {
        if (length < 0 || length > buffer.remaining()) {
            throw corrupt(
                    "a length of " + length + " where " + buffer.remaining() + " bytes are left");
        }
        return (int) length;
    }

    private void require(int length) {
        if (length < 0 || buffer.remaining() < length) {
            throw corrupt("the end where " + length + " more bytes belong");
        }
    }
}

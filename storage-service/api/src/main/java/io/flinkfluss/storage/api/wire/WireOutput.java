package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.format.Format;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes the binary form that all our messages, and what is stored of tables, have: unsigned
 * varints (7 bits a byte, lowest first), big-endian fixed numbers, and byte strings with a varint
 * length before them. Not thread-safe.
 */
public final class WireOutput {
    private byte[] bytes;
    private int size;

    public WireOutput() {
        this(128);
    }

    public WireOutput(int expectedSize) {
        bytes = new byte[Math.max(16, expectedSize)];
    }

    /** The newest version of this format. */
    public WireOutput writeVersion(Format format) {
        return writeByte(format.newest());
    }

    public WireOutput writeByte(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
        return this;
    }

    public WireOutput writeBoolean(boolean value) {
        return writeByte(value ? 1 : 0);
    }

    public WireOutput writeInt(int value) {
        return writeFixed(value, 4);
    }

    public WireOutput writeLong(long value) {
        return writeFixed(value, 8);
    }

    /** A number that is mostly small and not negative; a negative one takes 10 bytes. */
    public WireOutput writeVarint(long value) {
        ensure(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
        return this;
    }

    /** A number of either sign that is mostly near zero. */
    public WireOutput writeZigzag(long value) {
        return writeVarint((value << 1) ^ (value >> 63));
    }

    public WireOutput writeBytes(byte[] value) {
        writeVarint(value.length);
        return writeRaw(value, 0, value.length);
    }

    public WireOutput writeBytes(ByteBuffer value) {
        writeVarint(value.remaining());
        return writeRaw(value);
    }

    /** Null is kept apart from empty. */
    public WireOutput writeNullableBytes(byte[] value) {
        if (value == null) {
            return writeVarint(0);
        }
        writeVarint(value.length + 1L);
        return writeRaw(value, 0, value.length);
    }

    public WireOutput writeString(String value) {
        return writeBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    public WireOutput writeStrings(Collection<String> values) {
        writeVarint(values.size());
        values.forEach(this::writeString);
        return this;
    }

    /** Ordered by key, so that equal maps have equal bytes. */
    public WireOutput writeStrings(Map<String, String> values) {
        writeVarint(values.size());
        new TreeMap<>(values).forEach((key, value) -> writeString(key).writeString(value));
        return this;
    }

    /** Null is kept apart from empty. */
    public WireOutput writeNullableInts(int[] values) {
        if (values == null) {
            return writeVarint(0);
        }
        writeVarint(values.length + 1L);
        for (int value : values) {
            writeVarint(value);
        }
        return this;
    }

    /** Bytes as they are, without a length. */
    public WireOutput writeRaw(byte[] value, int offset, int length) {
        ensure(length);
        System.arraycopy(value, offset, bytes, size, length);
        size += length;
        return this;
    }

    /** Bytes as they are, without a length; the buffer's position stays. */
    public WireOutput writeRaw(ByteBuffer value) {
        int length = value.remaining();
        ensure(length);
        value.get(value.position(), bytes, size, length);
        size += length;
        return this;
    }

    public int size() {
        return size;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** What was written, without copying: do not write again while it is in use. */
    public ByteBuffer toByteBuffer() {
        return ByteBuffer.wrap(bytes, 0, size).slice();
    }

    private WireOutput writeFixed(long value, int length) {
        ensure(length);
        for (int shift = (length - 1) * 8; shift >= 0; shift -= 8) {
            bytes[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}

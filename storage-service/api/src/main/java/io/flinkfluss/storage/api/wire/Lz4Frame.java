package io.flinkfluss.storage.api.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Compresses bytes into one frame of the LZ4 frame format: independent blocks of 64 KiB, no
 * checksums (what is stored or sent has its own). Greedy, with one candidate per hash: the
 * compressor that Arrow brings searches so long that one batch takes seconds. Used by one thread.
 */
final class Lz4Frame {
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** Magic, version 1 with independent blocks, blocks of 64 KiB, and their hash. */
    private static final byte[] HEADER = {0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, (byte) 0x82};

    private static final int BLOCK = 64 * 1024;
    private static final int STORED = 0x80000000;
    private static final int HASH_BITS = 13;
    private static final int MIN_MATCH = 4;

    /** The format wants the last bytes of a block as they are: 5, and no match in the last 12. */
    private static final int LAST_LITERALS = 5;

    private static final int MATCH_MARGIN = 12;

    /** After so many places without a match, larger steps are taken. */
    private static final int PATIENCE_BITS = 6;

    private final int[] table = new int[1 << HASH_BITS];
    private byte[] target;
    private int size;

    /** The most bytes that a frame of {@code length} bytes can take. */
    static int bound(int length) {
        int blocks = length / BLOCK + 1;
        return Math.toIntExact(HEADER.length + 4L + length + length / 255 + blocks * 24L);
    }

    /**
     * Writes the frame of the source's first bytes.
     *
     * @param into has {@link #bound} bytes left from {@code at}
     * @return the length of the frame
     */
    int compress(byte[] source, int length, byte[] into, int at) {
        target = into;
        size = at;
        System.arraycopy(HEADER, 0, target, size, HEADER.length);
        size += HEADER.length;
        for (int start = 0; start < length; start += BLOCK) {
            writeBlock(source, start, Math.min(length, start + BLOCK));
        }
        INT.set(target, size, 0);
        size += 4;
        target = null;
        return size - at;
    }

    private void writeBlock(byte[] source, int start, int end) {
        int sizeAt = size;
        size += 4;
        compressBlock(source, start, end);
        int compressed = size - sizeAt - 4;
        if (compressed < end - start) {
            INT.set(target, sizeAt, compressed);
        } else {
            INT.set(target, sizeAt, (end - start) | STORED);
            System.arraycopy(source, start, target, sizeAt + 4, end - start);
            size = sizeAt + 4 + end - start;
        }
    }

    private void compressBlock(byte[] source, int start, int end) {
        Arrays.fill(table, -1);
        int literals = start;
        int position = start;
        int lastMatchStart = end - MATCH_MARGIN;
        int tries = 1 << PATIENCE_BITS;
        while (position <= lastMatchStart) {
            int value = (int) INT.get(source, position);
            int hash = (value * -1640531535) >>> (32 - HASH_BITS);
            int candidate = table[hash];
            table[hash] = position;
            if (candidate < 0
                    || position - candidate > 0xFFFF
                    || (int) INT.get(source, candidate) != value) {
                position += tries++ >> PATIENCE_BITS;
                continue;
            }
            int length = MIN_MATCH;
            while (position + length < end - LAST_LITERALS
                    && source[position + length] == source[candidate + length]) {
                length++;
            }
            writeSequence(source, literals, position, position - candidate, length);
            position += length;
            literals = position;
            tries = 1 << PATIENCE_BITS;
        }
        writeLiterals(source, literals, end, 0);
    }

    private void writeSequence(byte[] source, int from, int to, int distance, int length) {
        int more = length - MIN_MATCH;
        writeLiterals(source, from, to, Math.min(more, 15));
        target[size++] = (byte) distance;
        target[size++] = (byte) (distance >>> 8);
        writeLength(more);
    }

    /** The token, the length of the literals where it does not fit in there, and the literals. */
    private void writeLiterals(byte[] source, int from, int to, int matchToken) {
        int count = to - from;
        target[size++] = (byte) (Math.min(count, 15) << 4 | matchToken);
        writeLength(count);
        System.arraycopy(source, from, target, size, count);
        size += count;
    }

    /** What of a length is not in the token's four bits. */
    private void writeLength(int length) {
        int rest = length - 15;
        if (rest < 0) {
            return;
        }
        for (; rest >= 255; rest -= 255) {
            target[size++] = (byte) 255;
        }
        target[size++] = (byte) rest;
    }
}

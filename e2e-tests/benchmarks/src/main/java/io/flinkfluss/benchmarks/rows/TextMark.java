package io.flinkfluss.benchmarks.rows;

/**
 * A number for a text: its length and three of its bytes. It touches the content, so that a reader
 * cannot skip it, and costs the same little for every system.
 */
public final class TextMark {
    private TextMark() {}

    /** The mark of a text that is these bytes. */
    public static long of(byte[] utf8) {
        return of(utf8, 0, utf8.length);
    }

    /** The mark of a text within an array. */
    public static long of(byte[] array, int offset, int length) {
        return length == 0
                ? 0
                : of(length, array[offset], array[offset + length / 2], array[offset + length - 1]);
    }

    /**
     * The mark from its parts, for a text that is not in an array.
     *
     * @param length 1 or more
     * @param middle the byte at half the length, rounded down
     */
    public static long of(int length, byte first, byte middle, byte last) {
        return (long) length << 24 | (first & 0xFF) << 16 | (middle & 0xFF) << 8 | last & 0xFF;
    }
}

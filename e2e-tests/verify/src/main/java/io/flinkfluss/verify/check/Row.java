package io.flinkfluss.verify.check;

import io.flinkfluss.storage.api.record.ChangeKind;

/**
 * A row as the checker remembers it: who wrote it, as its how-manieth, for a key what happened to
 * it, all in one number so that millions fit into memory. 0 is no row.
 *
 * @param kind INSERT in a log table
 * @param key 0 in a log table
 * @param writer from 1
 * @param sequence counts the writer's rows from 0
 */
public record Row(ChangeKind kind, int key, int writer, int sequence) {
    static final int MOST_KEYS = 1 << 22;
    static final int MOST_WRITERS = 1 << 14;
    static final int MOST_SEQUENCES = 1 << 26;

    public Row {
        if (key < 0 || key >= MOST_KEYS || writer < 1 || writer >= MOST_WRITERS) {
            throw new IllegalArgumentException(
                    "key " + key + " or writer " + writer + " is out of range");
        }
        if (sequence < 0 || sequence >= MOST_SEQUENCES) {
            throw new IllegalArgumentException("sequence " + sequence + " is out of range");
        }
    }

    public long packed() {
        return (long) kind.number() << 62 | (long) key << 40 | (long) writer << 26 | sequence;
    }

    public static Row unpack(long packed) {
        return new Row(
                ChangeKind.of((byte) (packed >>> 62)),
                (int) (packed >>> 40) & MOST_KEYS - 1,
                (int) (packed >>> 26) & MOST_WRITERS - 1,
                (int) packed & MOST_SEQUENCES - 1);
    }

    /** Whether these numbers can be a row at all; damaged ones need not be. */
    public static boolean isPossible(long key, long writer, long sequence) {
        return key >= 0
                && key < MOST_KEYS
                && writer >= 1
                && writer < MOST_WRITERS
                && sequence >= 0
                && sequence < MOST_SEQUENCES;
    }

    /** Writer and sequence: the same for every row that carries this value. */
    public long value() {
        return value(writer, sequence);
    }

    public static long value(int writer, int sequence) {
        return (long) writer << 26 | sequence;
    }

    public static String describeValue(long value) {
        return value == 0
                ? "no row"
                : "writer " + (value >>> 26) + " row " + (value & MOST_SEQUENCES - 1);
    }

    @Override
    public String toString() {
        return kind + (key == 0 ? "" : " key " + key) + " " + describeValue(value());
    }
}

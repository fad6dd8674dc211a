package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.record.ColumnStatistics;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Column;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The smallest and largest value of a column so far, kept unboxed; as a row, field 0 is the minimum
 * and field 1 the maximum.
 */
final class ColumnBounds implements RowView {
    /** Longer texts and bytes are cut for their bounds. */
    static final int MAX_BYTES = 32;

    private static final VarHandle BIG_ENDIAN =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final Column column;
    private final long[] longs = new long[2];
    private final int[] nanos = new int[2];
    private final double[] reals = new double[2];
    private final byte[][] bytes = new byte[2][];

    /** How the bytes begin, as {@link #beginning}: tells most values apart at once. */
    private final long[] beginnings = new long[2];

    private boolean empty = true;

    ColumnBounds(Column column) {
        this.column = column;
    }

    void add(long value) {
        if (empty) {
            longs[0] = value;
            longs[1] = value;
            empty = false;
        } else if (value < longs[0]) {
            longs[0] = value;
        } else if (value > longs[1]) {
            longs[1] = value;
        }
    }

    void addTime(long millis, int nanosOfMilli) {
        if (empty || earlier(millis, nanosOfMilli, longs[0], nanos[0])) {
            longs[0] = millis;
            nanos[0] = nanosOfMilli;
        }
        if (empty || earlier(longs[1], nanos[1], millis, nanosOfMilli)) {
            longs[1] = millis;
            nanos[1] = nanosOfMilli;
        }
        empty = false;
    }

    private static boolean earlier(long millis, int nanos, long thanMillis, int thanNanos) {
        return millis < thanMillis || (millis == thanMillis && nanos < thanNanos);
    }

    void addReal(double value) {
        if (empty || Double.compare(value, reals[0]) < 0) {
            reals[0] = value;
        }
        if (empty || Double.compare(value, reals[1]) > 0) {
            reals[1] = value;
        }
        empty = false;
    }

    void addBytes(byte[] value) {
        long beginning = beginning(value);
        if (empty) {
            bytes[0] = kept(value);
            bytes[1] = bytes[0];
            beginnings[0] = beginning;
            beginnings[1] = beginning;
            empty = false;
        } else if (beginning > beginnings[0] && beginning < beginnings[1]) {
            // Between them, whatever follows.
            return;
        } else if (Arrays.compareUnsigned(value, bytes[0]) < 0) {
            bytes[0] = kept(value);
            beginnings[0] = beginning;
        } else if (Arrays.compareUnsigned(value, bytes[1]) > 0) {
            bytes[1] = kept(value);
            beginnings[1] = beginning;
        }
    }

    /** The first eight bytes, zeros after the last one, as a number with the order of the bytes. */
    private static long beginning(byte[] value) {
        if (value.length >= Long.BYTES) {
            return (long) BIG_ENDIAN.get(value, 0) ^ Long.MIN_VALUE;
        }
        long beginning = 0;
        for (int i = 0; i < value.length; i++) {
            beginning |= (value[i] & 0xFFL) << (Long.SIZE - Byte.SIZE * (i + 1));
        }
        return beginning ^ Long.MIN_VALUE;
    }

    /** As much as the bounds need, copied: the caller may use its array again. */
    private static byte[] kept(byte[] value) {
        return Arrays.copyOf(
                value, canBeCut(value) ? Math.min(value.length, MAX_BYTES + 1) : value.length);
    }

    private static boolean canBeCut(byte[] value) {
        for (int i = 0; i < Math.min(value.length, MAX_BYTES); i++) {
            if (value[i] != (byte) 0xFF) {
                return true;
            }
        }
        return false;
    }

    /** For types whose order is that of their key form. */
    void addKeyForm(byte[] value) {
        addBytes(value);
    }

    /** The bounds since the last call. */
    ColumnStatistics take(int nullCount) {
        ColumnStatistics taken =
                empty
                        ? new ColumnStatistics(column.id(), nullCount, null, null)
                        : new ColumnStatistics(column.id(), nullCount, lower(), upper());
        empty = true;
        nanos[0] = 0;
        nanos[1] = 0;
        bytes[0] = null;
        bytes[1] = null;
        return taken;
    }

    private byte[] lower() {
        return switch (column.type().root()) {
            case DECIMAL ->
                    bytes[0] != null ? bytes[0] : KeyCodec.encodeValue(column.type(), this, 0);
            case CHAR, STRING, BINARY, BYTES -> {
                if (bytes[0].length > MAX_BYTES) {
                    bytes[0] = Arrays.copyOf(bytes[0], MAX_BYTES);
                }
                yield KeyCodec.encodeValue(column.type(), this, 0);
            }
            default -> KeyCodec.encodeValue(column.type(), this, 0);
        };
    }

    private byte[] upper() {
        return switch (column.type().root()) {
            case DECIMAL ->
                    bytes[1] != null ? bytes[1] : KeyCodec.encodeValue(column.type(), this, 1);
            case CHAR, STRING, BINARY, BYTES -> {
                bytes[1] = cutUp(bytes[1]);
                yield KeyCodec.encodeValue(column.type(), this, 1);
            }
            default -> KeyCodec.encodeValue(column.type(), this, 1);
        };
    }

    /** A short value that is not smaller: cut, with the last byte that can grow made larger. */
    private static byte[] cutUp(byte[] value) {
        if (value.length <= MAX_BYTES) {
            return value;
        }
        for (int last = MAX_BYTES - 1; last >= 0; last--) {
            if (value[last] != (byte) 0xFF) {
                byte[] cut = Arrays.copyOf(value, last + 1);
                cut[last]++;
                return cut;
            }
        }
        return value;
    }

    @Override
    public boolean isNullAt(int index) {
        return empty;
    }

    @Override
    public boolean booleanAt(int index) {
        return longs[index] != 0;
    }

    @Override
    public byte byteAt(int index) {
        return (byte) longs[index];
    }

    @Override
    public short shortAt(int index) {
        return (short) longs[index];
    }

    @Override
    public int intAt(int index) {
        return (int) longs[index];
    }

    @Override
    public long longAt(int index) {
        return longs[index];
    }

    @Override
    public float floatAt(int index) {
        return (float) reals[index];
    }

    @Override
    public double doubleAt(int index) {
        return reals[index];
    }

    @Override
    public byte[] bytesAt(int index) {
        return bytes[index];
    }

    @Override
    public int nanosOfMilliAt(int index) {
        return nanos[index];
    }
}

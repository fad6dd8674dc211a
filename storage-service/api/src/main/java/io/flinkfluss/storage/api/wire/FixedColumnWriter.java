package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.FieldForm;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Column;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Values of one width: one buffer, little-endian; BOOLEAN has a bit per row. */
final class FixedColumnWriter extends ColumnWriter {
    static final VarHandle INT = little(int[].class);
    private static final VarHandle SHORT = little(short[].class);
    private static final VarHandle LONG = little(long[].class);
    private static final VarHandle FLOAT = little(float[].class);
    private static final VarHandle DOUBLE = little(double[].class);
    private static final int DECIMAL_WIDTH = 16;

    private final FieldForm form;
    private final int width;

    /** TIMESTAMP finer than milliseconds: units in a millisecond. */
    private final int unitsPerMilli;

    private byte[] values = new byte[1024];

    FixedColumnWriter(Column column, int index) {
        super(column, index);
        form = FieldForm.of(column.type());
        width = width(form);
        unitsPerMilli = column.type().length() <= 6 ? 1_000 : 1_000_000;
    }

    private static VarHandle little(Class<?> view) {
        return MethodHandles.byteArrayViewVarHandle(view, ByteOrder.LITTLE_ENDIAN);
    }

    private static int width(FieldForm form) {
        return switch (form) {
            case BOOLEAN -> 0;
            case BYTE -> 1;
            case SHORT -> 2;
            case INT, FLOAT -> 4;
            case LONG, DOUBLE, MILLIS, MILLIS_AND_NANOS -> 8;
            case SMALL_DECIMAL, LARGE_DECIMAL -> DECIMAL_WIDTH;
            case BYTES -> throw new IllegalArgumentException(form.toString());
        };
    }

    @Override
    long valueBytes(int rows) {
        return width > 0 ? (long) rows * width : (rows + 7) / 8;
    }

    @Override
    void addValues(ArrowBody body, int rows) {
        int length = (int) valueBytes(rows);
        if (width == 0 && (rows & 7) != 0) {
            values[length - 1] &= (byte) ((1 << (rows & 7)) - 1);
        }
        body.add(values, length);
    }

    @Override
    void writeNull(int at) {
        if (width > 0) {
            values = grown(values, (at + 1) * width);
            Arrays.fill(values, at * width, (at + 1) * width, (byte) 0);
        } else {
            setBit(at, false);
        }
    }

    @Override
    void writeValue(RowView row, int at) {
        int position = at * width;
        values = grown(values, position + width);
        switch (form) {
            case BOOLEAN -> {
                boolean value = row.booleanAt(index);
                setBit(at, value);
                bounds.add(value ? 1 : 0);
            }
            case BYTE -> {
                values[position] = row.byteAt(index);
                bounds.add(values[position]);
            }
            case SHORT -> {
                short value = row.shortAt(index);
                SHORT.set(values, position, value);
                bounds.add(value);
            }
            case INT -> {
                int value = row.intAt(index);
                INT.set(values, position, value);
                bounds.add(value);
            }
            case LONG, MILLIS -> {
                long value = row.longAt(index);
                LONG.set(values, position, value);
                bounds.add(value);
            }
            case FLOAT -> {
                float value = row.floatAt(index);
                FLOAT.set(values, position, value);
                bounds.addReal(value);
            }
            case DOUBLE -> {
                double value = row.doubleAt(index);
                DOUBLE.set(values, position, value);
                bounds.addReal(value);
            }
            case SMALL_DECIMAL -> {
                long value = row.longAt(index);
                LONG.set(values, position, value);
                LONG.set(values, position + 8, value >> 63);
                bounds.add(value);
            }
            case LARGE_DECIMAL -> writeLargeDecimal(row, position);
            case MILLIS_AND_NANOS -> writeTime(row, position);
            case BYTES -> throw new IllegalStateException(form.toString());
        }
    }

    private void setBit(int at, boolean value) {
        values = grown(values, at / 8 + 1);
        int bit = 1 << (at & 7);
        if (value) {
            values[at / 8] |= (byte) bit;
        } else {
            values[at / 8] &= (byte) ~bit;
        }
    }

    private void writeLargeDecimal(RowView row, int position) {
        byte[] bigEndian = row.bytesAt(index);
        if (bigEndian.length > width) {
            throw outOfRange("a DECIMAL of " + bigEndian.length + " bytes", "38 digits");
        }
        byte sign = (byte) (bigEndian[0] >> 7);
        for (int i = 0; i < width; i++) {
            int from = bigEndian.length - 1 - i;
            values[position + i] = from < 0 ? sign : bigEndian[from];
        }
        bounds.addKeyForm(KeyCodec.encodeValue(column.type(), row, index));
    }

    private void writeTime(RowView row, int position) {
        long millis = row.longAt(index);
        int nanos = row.nanosOfMilliAt(index);
        long largest = Long.MAX_VALUE / unitsPerMilli - 1;
        if (millis > largest || millis < -largest) {
            throw outOfRange(
                    "the value " + millis + " milliseconds since 1970",
                    "values from " + -largest + " to " + largest);
        }
        int rest = nanos / (1_000_000 / unitsPerMilli);
        LONG.set(values, position, millis * unitsPerMilli + rest);
        bounds.addTime(millis, rest * (1_000_000 / unitsPerMilli));
    }

    private StorageException outOfRange(String found, String allowed) {
        return new StorageException(
                ErrorCode.SCHEMA_MISMATCH,
                "column "
                        + column.name()
                        + " is "
                        + column.type()
                        + ", which holds "
                        + allowed
                        + ", but got "
                        + found
                        + "; filter such rows out or use a type that holds it");
    }
}

package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Rows as compact bytes with constant-time access to each field (docs/formats/row-and-key.md, row
 * format 1): version byte, NULL bits, a fixed-width part, then the variable-width values. Any
 * thread may use it.
 */
public final class RowCodec {
    static final Format FORMAT = Format.first("row", "row-and-key.md");
    static final VarHandle SHORT = little(short[].class);
    static final VarHandle INT = little(int[].class);
    static final VarHandle LONG = little(long[].class);
    private static final byte[] NO_BYTES = {};

    private final Schema schema;
    private final FieldForm[] forms;
    private final boolean[] nullable;

    /** Where each field's fixed part begins; for a variable field that holds the value's end. */
    private final int[] offsets;

    /** Per variable field its rank among the variable fields, otherwise -1. */
    private final int[] variableRanks;

    private final int variableStart;
    private final int variableCount;

    public RowCodec(Schema schema) {
        this.schema = schema;
        int count = schema.columns().size();
        forms = new FieldForm[count];
        nullable = new boolean[count];
        offsets = new int[count];
        variableRanks = new int[count];
        int offset = 1 + (count + 7) / 8;
        int variables = 0;
        // The ends of the variable fields stand together, so that a value's start is its
        // predecessor's end.
        for (int i = 0; i < count; i++) {
            Column column = schema.columns().get(i);
            forms[i] = FieldForm.of(column.type());
            nullable[i] = column.type().nullable();
            variableRanks[i] = -1;
            if (forms[i].isVariable()) {
                offsets[i] = offset;
                variableRanks[i] = variables++;
                offset += 4;
            }
        }
        for (int i = 0; i < count; i++) {
            if (!forms[i].isVariable()) {
                offsets[i] = offset;
                offset += forms[i].width();
            }
        }
        variableStart = offset;
        variableCount = variables;
    }

    /**
     * The row's bytes.
     *
     * @throws StorageException SCHEMA_MISMATCH when a NOT NULL column is NULL
     */
    public byte[] encode(RowView row) {
        byte[][] values = variableCount == 0 ? null : new byte[variableCount][];
        int size = variableStart;
        for (int i = 0; values != null && i < forms.length; i++) {
            int rank = variableRanks[i];
            if (rank >= 0) {
                values[rank] = row.isNullAt(i) ? NO_BYTES : row.bytesAt(i);
                size = Math.addExact(size, values[rank].length);
            }
        }
        byte[] target = new byte[size];
        target[0] = (byte) FORMAT.newest();
        int end = variableStart;
        for (int i = 0; i < forms.length; i++) {
            boolean isNull = row.isNullAt(i);
            if (isNull) {
                if (!nullable[i]) {
                    throw nullInColumn(schema.columns().get(i));
                }
                target[1 + (i >> 3)] |= (byte) (1 << (i & 7));
            }
            int rank = variableRanks[i];
            if (rank >= 0) {
                byte[] value = values[rank];
                System.arraycopy(value, 0, target, end, value.length);
                end += value.length;
                INT.set(target, offsets[i], end);
            } else if (!isNull) {
                writeFixed(row, i, target);
            }
        }
        return target;
    }

    static StorageException nullInColumn(Column column) {
        return new StorageException(
                ErrorCode.SCHEMA_MISMATCH,
                "column "
                        + column.name()
                        + " is "
                        + column.type()
                        + " but the row has NULL there; filter such rows out or declare the column"
                        + " nullable");
    }

    private void writeFixed(RowView row, int i, byte[] target) {
        int offset = offsets[i];
        switch (forms[i]) {
            case BOOLEAN -> target[offset] = (byte) (row.booleanAt(i) ? 1 : 0);
            case BYTE -> target[offset] = row.byteAt(i);
            case SHORT -> SHORT.set(target, offset, row.shortAt(i));
            case INT -> INT.set(target, offset, row.intAt(i));
            case LONG, MILLIS, SMALL_DECIMAL -> LONG.set(target, offset, row.longAt(i));
            case FLOAT -> INT.set(target, offset, Float.floatToRawIntBits(row.floatAt(i)));
            case DOUBLE -> LONG.set(target, offset, Double.doubleToRawLongBits(row.doubleAt(i)));
            case MILLIS_AND_NANOS -> {
                LONG.set(target, offset, row.longAt(i));
                DataType type = schema.columns().get(i).type();
                INT.set(target, offset + 8, FieldForm.nanosOfMilli(type, row, i));
            }
            case LARGE_DECIMAL, BYTES -> throw new IllegalStateException(forms[i] + " varies");
        }
    }

    /**
     * A view of the row; it reads a field when it is asked for and keeps the array.
     *
     * @throws StorageException CORRUPT_DATA when these are not the bytes of such a row,
     *     INCOMPATIBLE_VERSION when a newer release wrote it
     */
    public RowView decode(byte[] bytes) {
        if (bytes.length > 0 && bytes[0] > 0) {
            FORMAT.check(bytes[0]);
        }
        if (bytes.length < variableStart || bytes[0] < FORMAT.oldest()) {
            throw new StorageException(
                    ErrorCode.CORRUPT_DATA,
                    "a row of schema "
                            + schema.id()
                            + " has at least "
                            + variableStart
                            + " bytes, but "
                            + bytes.length
                            + " bytes "
                            + (bytes.length == 0 ? "" : "with version " + bytes[0] + " ")
                            + "were found; it was written with another schema or is damaged");
        }
        return new View(this, bytes);
    }

    private static VarHandle little(Class<?> arrayType) {
        return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.LITTLE_ENDIAN);
    }

    private static final class View implements RowView {
        private final RowCodec codec;
        private final byte[] bytes;

        View(RowCodec codec, byte[] bytes) {
            this.codec = codec;
            this.bytes = bytes;
        }

        @Override
        public boolean isNullAt(int index) {
            return (bytes[1 + (index >> 3)] & (1 << (index & 7))) != 0;
        }

        @Override
        public boolean booleanAt(int index) {
            return bytes[codec.offsets[index]] != 0;
        }

        @Override
        public byte byteAt(int index) {
            return bytes[codec.offsets[index]];
        }

        @Override
        public short shortAt(int index) {
            return (short) SHORT.get(bytes, codec.offsets[index]);
        }

        @Override
        public int intAt(int index) {
            return (int) INT.get(bytes, codec.offsets[index]);
        }

        @Override
        public long longAt(int index) {
            return (long) LONG.get(bytes, codec.offsets[index]);
        }

        @Override
        public float floatAt(int index) {
            return Float.intBitsToFloat(intAt(index));
        }

        @Override
        public double doubleAt(int index) {
            return Double.longBitsToDouble(longAt(index));
        }

        @Override
        public byte[] bytesAt(int index) {
            int offset = codec.offsets[index];
            int end = (int) INT.get(bytes, offset);
            int start =
                    codec.variableRanks[index] == 0
                            ? codec.variableStart
                            : (int) INT.get(bytes, offset - 4);
            if (start < codec.variableStart || end < start || end > bytes.length) {
                throw new StorageException(
                        ErrorCode.CORRUPT_DATA,
                        "column "
                                + codec.schema.columns().get(index).name()
                                + " of a stored row claims bytes "
                                + start
                                + " to "
                                + end
                                + " of "
                                + bytes.length
                                + "; the row is damaged");
            }
            return Arrays.copyOfRange(bytes, start, end);
        }

        @Override
        public int nanosOfMilliAt(int index) {
            return codec.forms[index] == FieldForm.MILLIS_AND_NANOS
                    ? (int) INT.get(bytes, codec.offsets[index] + 8)
                    : 0;
        }
    }
}

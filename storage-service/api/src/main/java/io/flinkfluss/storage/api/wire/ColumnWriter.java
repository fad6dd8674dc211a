package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.FieldForm;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Column;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;

/** Writes one column of a batch straight into its vector's buffers and keeps its bounds. */
abstract class ColumnWriter {
    private static final int INITIAL_ROWS = 128;

    final Column column;
    final int index;
    final ColumnBounds bounds;

    private ColumnWriter(Column column, int index) {
        this.column = column;
        this.index = index;
        this.bounds = new ColumnBounds(column);
    }

    /**
     * @param index where the column is in the rows
     */
    static ColumnWriter of(Column column, int index, FieldVector vector) {
        vector.setInitialCapacity(INITIAL_ROWS);
        vector.allocateNew();
        return vector instanceof BaseVariableWidthVector variable
                ? new Variable(column, index, variable)
                : new Fixed(column, index, (BaseFixedWidthVector) vector);
    }

    /** Writes the row's value at a position of the batch; may be called again for a position. */
    final void write(RowView row, int at) {
        if (!row.isNullAt(index)) {
            writeValue(row, at);
        } else if (column.type().nullable()) {
            writeNull(at);
        } else {
            throw new StorageException(
                    ErrorCode.SCHEMA_MISMATCH,
                    "column "
                            + column.name()
                            + " is "
                            + column.type()
                            + " but the row has NULL there; filter such rows out or declare the"
                            + " column nullable");
        }
    }

    abstract void writeValue(RowView row, int at);

    abstract void writeNull(int at);

    /** Bytes of the values written since the last {@link #clear}. */
    abstract long valueBytes(int rows);

    abstract FieldVector vector();

    /** Forgets all values but keeps the buffers. */
    final void clear() {
        vector().setValueCount(0);
    }

    private static final class Variable extends ColumnWriter {
        private final BaseVariableWidthVector vector;

        Variable(Column column, int index, BaseVariableWidthVector vector) {
            super(column, index);
            this.vector = vector;
        }

        @Override
        void writeValue(RowView row, int at) {
            byte[] value = row.bytesAt(index);
            vector.setSafe(at, value);
            bounds.addBytes(value);
        }

        @Override
        void writeNull(int at) {
            vector.setNull(at);
        }

        @Override
        long valueBytes(int rows) {
            int last = vector.getLastSet();
            return 4L * rows + (last < 0 ? 0 : vector.getOffsetBuffer().getInt(4L * (last + 1)));
        }

        @Override
        FieldVector vector() {
            return vector;
        }
    }

    private static final class Fixed extends ColumnWriter {
        private final FieldForm form;
        private final BaseFixedWidthVector vector;
        private final int width;

        /** TIMESTAMP: units in a millisecond. */
        private final int unitsPerMilli;

        private ArrowBuf values;
        private ArrowBuf validity;
        private int capacity;

        Fixed(Column column, int index, BaseFixedWidthVector vector) {
            super(column, index);
            this.vector = vector;
            form = FieldForm.of(column.type());
            width = vector.getTypeWidth();
            unitsPerMilli = column.type().length() <= 6 ? 1_000 : 1_000_000;
            refresh();
        }

        private void refresh() {
            values = vector.getDataBuffer();
            validity = vector.getValidityBuffer();
            capacity = vector.getValueCapacity();
        }

        private void ensure(int at) {
            while (at >= capacity) {
                vector.reAlloc();
                refresh();
            }
        }

        @Override
        void writeNull(int at) {
            ensure(at);
            BitVectorHelper.unsetBit(validity, at);
            if (width > 0) {
                values.setZero((long) at * width, width);
            } else {
                BitVectorHelper.unsetBit(values, at);
            }
        }

        @Override
        void writeValue(RowView row, int at) {
            ensure(at);
            long position = (long) at * width;
            switch (form) {
                case BOOLEAN -> {
                    boolean value = row.booleanAt(index);
                    if (value) {
                        BitVectorHelper.setBit(values, at);
                    } else {
                        BitVectorHelper.unsetBit(values, at);
                    }
                    bounds.add(value ? 1 : 0);
                }
                case BYTE -> {
                    byte value = row.byteAt(index);
                    values.setByte(position, value);
                    bounds.add(value);
                }
                case SHORT -> {
                    short value = row.shortAt(index);
                    values.setShort(position, value);
                    bounds.add(value);
                }
                case INT -> {
                    int value = row.intAt(index);
                    values.setInt(position, value);
                    bounds.add(value);
                }
                case LONG, MILLIS -> {
                    long value = row.longAt(index);
                    values.setLong(position, value);
                    bounds.add(value);
                }
                case FLOAT -> {
                    float value = row.floatAt(index);
                    values.setFloat(position, value);
                    bounds.addReal(value);
                }
                case DOUBLE -> {
                    double value = row.doubleAt(index);
                    values.setDouble(position, value);
                    bounds.addReal(value);
                }
                case SMALL_DECIMAL -> {
                    long value = row.longAt(index);
                    values.setLong(position, value);
                    values.setLong(position + 8, value >> 63);
                    bounds.add(value);
                }
                case LARGE_DECIMAL -> writeLargeDecimal(row, position);
                case MILLIS_AND_NANOS -> writeTime(row, position);
                case BYTES -> throw new IllegalStateException(form.toString());
            }
            BitVectorHelper.setBit(validity, at);
        }

        private void writeLargeDecimal(RowView row, long position) {
            byte[] bigEndian = row.bytesAt(index);
            if (bigEndian.length > width) {
                throw outOfRange("a DECIMAL of " + bigEndian.length + " bytes", "38 digits");
            }
            byte sign = (byte) (bigEndian[0] >> 7);
            for (int i = 0; i < width; i++) {
                int from = bigEndian.length - 1 - i;
                values.setByte(position + i, from < 0 ? sign : bigEndian[from]);
            }
            bounds.addKeyForm(KeyCodec.encodeValue(column.type(), row, index));
        }

        private void writeTime(RowView row, long position) {
            long millis = row.longAt(index);
            int nanos = row.nanosOfMilliAt(index);
            long largest = Long.MAX_VALUE / unitsPerMilli - 1;
            if (millis > largest || millis < -largest) {
                throw outOfRange(
                        "the value " + millis + " milliseconds since 1970",
                        "values from " + -largest + " to " + largest);
            }
            int rest = nanos / (1_000_000 / unitsPerMilli);
            values.setLong(position, millis * unitsPerMilli + rest);
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

        @Override
        long valueBytes(int rows) {
            return width > 0 ? (long) rows * width : rows / 8;
        }

        @Override
        FieldVector vector() {
            return vector;
        }
    }
}

package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.FieldForm;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Column;
import java.util.Arrays;

/**
 * Writes one column of a batch into the buffers that Arrow lays down for its type and keeps its
 * bounds. The buffers are plain arrays: checked access to Arrow's own memory costs several times
 * the store itself, once per value.
 */
abstract sealed class ColumnWriter permits FixedColumnWriter, VariableColumnWriter {
    final Column column;
    final int index;
    final ColumnBounds bounds;
    private final boolean nullable;

    /** One bit per row, set for NULL; Arrow's validity is its inverse. */
    private byte[] nulls = new byte[16];

    private int nullCount;

    ColumnWriter(Column column, int index) {
        this.column = column;
        this.index = index;
        this.nullable = column.type().nullable();
        this.bounds = new ColumnBounds(column);
    }

    /**
     * @param index where the column is in the rows
     */
    static ColumnWriter of(Column column, int index) {
        return FieldForm.of(column.type()) == FieldForm.BYTES
                ? new VariableColumnWriter(column, index)
                : new FixedColumnWriter(column, index);
    }

    /** Writes the row's value at a position of the batch; may be called again for a position. */
    final void write(RowView row, int at) {
        if (nullCount > 0) {
            setNull(at, false);
        }
        if (!row.isNullAt(index)) {
            writeValue(row, at);
        } else if (nullable) {
            setNull(at, true);
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

    /** Bytes of the values of this many rows. */
    abstract long valueBytes(int rows);

    /** Adds the buffers to a body, in Arrow's order, and forgets all values. Gives the NULLs. */
    final int finish(ArrowBody body, int rows) {
        if (nullCount > 0) {
            // What is left of a row that was refused half-way.
            setNull(rows, false);
        }
        int count = nullCount;
        body.add(validity(rows), count == 0 ? 0 : (rows + 7) / 8);
        addValues(body, rows);
        if (count > 0) {
            Arrays.fill(nulls, (byte) 0);
            nullCount = 0;
        }
        return count;
    }

    abstract void addValues(ArrowBody body, int rows);

    private byte[] validity(int rows) {
        if (nullCount == 0) {
            return nulls;
        }
        int length = (rows + 7) / 8;
        nulls = grown(nulls, length);
        byte[] validity = new byte[length];
        for (int i = 0; i < length; i++) {
            validity[i] = (byte) ~nulls[i];
        }
        if ((rows & 7) != 0) {
            validity[length - 1] &= (byte) ((1 << (rows & 7)) - 1);
        }
        return validity;
    }

    private void setNull(int at, boolean isNull) {
        nulls = grown(nulls, at / 8 + 1);
        int bit = 1 << (at & 7);
        boolean was = (nulls[at / 8] & bit) != 0;
        if (was != isNull) {
            nulls[at / 8] ^= (byte) bit;
            nullCount += isNull ? 1 : -1;
        }
    }

    /** The array, or a larger copy when it is shorter than needed. */
    static byte[] grown(byte[] array, int needed) {
        return array.length >= needed
                ? array
                : Arrays.copyOf(array, Math.max(needed, 2 * array.length));
    }
}

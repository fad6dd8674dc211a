package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import java.util.Arrays;

/**
 * Keys as bytes that compare, unsigned, like the values (docs/formats/row-and-key.md, key format
 * 1). The encoding of the first columns is a prefix of the whole key's, so a key prefix is a range.
 * As in SQL, -0.0 equals 0.0; NaN equals itself and is larger than every other number. Any thread
 * may use it.
 */
public final class KeyCodec {
    /** A key has no version in it: a new form means new tables. */
    static final Format FORMAT = Format.first("key", "row-and-key.md");

    private final Column[] columns;
    private final FieldForm[] forms;
    private final int[] fieldIndexes;
    private final int[] ownIndexes;

    /**
     * @param fieldIndexes positions of the key's columns in the schema, in key order
     */
    public KeyCodec(Schema schema, int[] fieldIndexes) {
        this.fieldIndexes = fieldIndexes.clone();
        columns = new Column[fieldIndexes.length];
        forms = new FieldForm[fieldIndexes.length];
        ownIndexes = new int[fieldIndexes.length];
        for (int i = 0; i < fieldIndexes.length; i++) {
            columns[i] = schema.columns().get(fieldIndexes[i]);
            forms[i] = FieldForm.of(columns[i].type());
            ownIndexes[i] = i;
        }
    }

    /**
     * The key of a row with all columns of the schema.
     *
     * @throws StorageException NULL_IN_KEY
     */
    public byte[] encode(RowView row) {
        return encode(row, fieldIndexes, columns.length);
    }

    /**
     * The key from a row that holds just the key's fields, in key order.
     *
     * @throws StorageException NULL_IN_KEY
     */
    public byte[] encodeKeyRow(RowView keyRow) {
        return encode(keyRow, ownIndexes, columns.length);
    }

    /**
     * The encoding of the first {@code fields} key fields: a prefix of every key that begins with
     * them.
     *
     * @throws StorageException NULL_IN_KEY
     */
    public byte[] encodeKeyPrefix(RowView keyRow, int fields) {
        if (fields < 0 || fields > columns.length) {
            throw new IllegalArgumentException(
                    "a prefix of a key of "
                            + columns.length
                            + " columns has 0 to as many fields, not "
                            + fields);
        }
        return encode(keyRow, ownIndexes, fields);
    }

    /** One value that is not NULL, in key form; also the form of column statistics. */
    public static byte[] encodeValue(DataType type, RowView row, int index) {
        KeyOutput output = new KeyOutput(16);
        output.write(FieldForm.of(type), type, row, index);
        return output.toByteArray();
    }

    private byte[] encode(RowView row, int[] indexes, int fields) {
        KeyOutput output = new KeyOutput(16 * fields);
        for (int i = 0; i < fields; i++) {
            int index = indexes[i];
            if (row.isNullAt(index)) {
                throw new StorageException(
                        ErrorCode.NULL_IN_KEY,
                        "key column "
                                + columns[i].name()
                                + " is NULL; a key needs a value in each of its columns "
                                + Arrays.stream(columns).map(Column::name).toList()
                                + ", so filter such rows out or replace the NULL");
            }
            output.write(forms[i], columns[i].type(), row, index);
        }
        return output.toByteArray();
    }

    /** A growing array of key bytes. */
    private static final class KeyOutput {
        private static final int DECIMAL_BYTES = 16;
        private byte[] bytes;
        private int size;

        KeyOutput(int capacity) {
            bytes = new byte[capacity];
        }

        byte[] toByteArray() {
            return Arrays.copyOf(bytes, size);
        }

        void write(FieldForm form, DataType type, RowView row, int index) {
            switch (form) {
                case BOOLEAN -> bigEndian(row.booleanAt(index) ? 1 : 0, 1);
                case BYTE -> bigEndian(row.byteAt(index) ^ 0x80L, 1);
                case SHORT -> bigEndian(row.shortAt(index) ^ 0x8000L, 2);
                case INT -> bigEndian(row.intAt(index) ^ 0x8000_0000L, 4);
                case LONG, MILLIS, SMALL_DECIMAL ->
                        bigEndian(row.longAt(index) ^ Long.MIN_VALUE, 8);
                case FLOAT -> {
                    int bits = Float.floatToIntBits(row.floatAt(index) + 0.0f);
                    bigEndian(bits ^ (bits >> 31 | Integer.MIN_VALUE), 4);
                }
                case DOUBLE -> {
                    long bits = Double.doubleToLongBits(row.doubleAt(index) + 0.0d);
                    bigEndian(bits ^ (bits >> 63 | Long.MIN_VALUE), 8);
                }
                case MILLIS_AND_NANOS -> {
                    bigEndian(row.longAt(index) ^ Long.MIN_VALUE, 8);
                    bigEndian(FieldForm.nanosOfMilli(type, row, index), 4);
                }
                case LARGE_DECIMAL -> largeDecimal(row.bytesAt(index));
                case BYTES -> escaped(row.bytesAt(index));
            }
        }

        private void bigEndian(long value, int width) {
            ensure(width);
            for (int shift = 8 * (width - 1); shift >= 0; shift -= 8) {
                bytes[size++] = (byte) (value >>> shift);
            }
        }

        private void largeDecimal(byte[] unscaled) {
            ensure(DECIMAL_BYTES);
            byte sign = (byte) (unscaled[0] >> 7);
            int surplus = unscaled.length - DECIMAL_BYTES;
            for (int i = 0; i < DECIMAL_BYTES; i++) {
                bytes[size + i] = i + surplus < 0 ? sign : unscaled[i + surplus];
            }
            bytes[size] ^= (byte) 0x80;
            size += DECIMAL_BYTES;
        }

        private void escaped(byte[] value) {
            ensure(2 * value.length + 2);
            for (byte b : value) {
                bytes[size++] = b;
                if (b == 0) {
                    bytes[size++] = (byte) 0xFF;
                }
            }
            bytes[size++] = 0;
            bytes[size++] = 0;
        }

        private void ensure(int more) {
            if (bytes.length - size < more) {
                bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
            }
        }
    }
}

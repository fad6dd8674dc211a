package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.table.DataType;

/** How a value of a type is handed over by {@link RowView} and stored by the codecs. */
public enum FieldForm {
    BOOLEAN(1),
    BYTE(1),
    SHORT(2),
    INT(4),
    LONG(8),
    FLOAT(4),
    DOUBLE(8),
    /** Milliseconds only: TIMESTAMP(0) to TIMESTAMP(3). */
    MILLIS(8),
    /** Milliseconds and the nanoseconds within them. */
    MILLIS_AND_NANOS(12),
    /** DECIMAL of precision up to 18, its unscaled value. */
    SMALL_DECIMAL(8),
    /** DECIMAL of precision 19 to 38, its unscaled value as big-endian two's complement. */
    LARGE_DECIMAL(-1),
    /** Text as UTF-8, or bytes. */
    BYTES(-1);

    private static final int MICROSECONDS = 6;
    private static final int NANOS_PER_MICRO = 1000;

    private final int width;

    FieldForm(int width) {
        this.width = width;
    }

    /** Bytes of a value in the row format, or -1 when it varies. */
    public int width() {
        return width;
    }

    public boolean isVariable() {
        return width < 0;
    }

    /** The nanoseconds within a value's millisecond that its type keeps; the rest is cut off. */
    static int nanosOfMilli(DataType type, RowView row, int index) {
        int nanos = row.nanosOfMilliAt(index);
        return type.length() <= MICROSECONDS ? nanos - nanos % NANOS_PER_MICRO : nanos;
    }

    public static FieldForm of(DataType type) {
        return switch (type.root()) {
            case BOOLEAN -> BOOLEAN;
            case TINYINT -> BYTE;
            case SMALLINT -> SHORT;
            case INT, DATE, TIME -> INT;
            case BIGINT -> LONG;
            case FLOAT -> FLOAT;
            case DOUBLE -> DOUBLE;
            case CHAR, STRING, BINARY, BYTES -> BYTES;
            case DECIMAL -> type.length() <= 18 ? SMALL_DECIMAL : LARGE_DECIMAL;
            case TIMESTAMP, TIMESTAMP_LTZ -> type.length() <= 3 ? MILLIS : MILLIS_AND_NANOS;
        };
    }
}

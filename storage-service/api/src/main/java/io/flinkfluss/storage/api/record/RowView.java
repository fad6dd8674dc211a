package io.flinkfluss.storage.api.record;

/**
 * Typed, unboxed access to the fields of one row; the caller knows the types from the schema. A
 * method that does not fit the column's type may throw or return nonsense. Values have these forms:
 *
 * <ul>
 *   <li>CHAR and STRING: UTF-8 bytes; BINARY and BYTES: bytes, by {@link #bytesAt}
 *   <li>DECIMAL of precision up to 18: the unscaled value by {@link #longAt}; above: two's
 *       complement, big-endian, by {@link #bytesAt}
 *   <li>DATE: days since 1970-01-01 by {@link #intAt}; TIME: milliseconds of the day by {@link
 *       #intAt}
 *   <li>TIMESTAMP and TIMESTAMP_LTZ: milliseconds since 1970-01-01 by {@link #longAt} (rounded
 *       towards the past) and the rest by {@link #nanosOfMilliAt}
 * </ul>
 */
public interface RowView {
    boolean isNullAt(int index);

    boolean booleanAt(int index);

    byte byteAt(int index);

    short shortAt(int index);

    int intAt(int index);

    long longAt(int index);

    float floatAt(int index);

    double doubleAt(int index);

    byte[] bytesAt(int index);

    /** Nanoseconds within the millisecond, 0 to 999,999. */
    int nanosOfMilliAt(int index);
}

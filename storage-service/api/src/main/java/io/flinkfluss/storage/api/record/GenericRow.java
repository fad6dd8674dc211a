package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.table.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;

/**
 * A row of Java objects, for tests, tools and small amounts of data: Boolean, Byte, Short, Integer
 * (also DATE and TIME), Long, Float, Double, String, byte[], BigDecimal (with exactly the column's
 * scale), LocalDateTime (TIMESTAMP), Instant (TIMESTAMP_LTZ), null. Immutable as long as nobody
 * changes its arrays.
 */
public final class GenericRow implements RowView {
    private final Object[] values;

    private GenericRow(Object[] values) {
        this.values = values;
    }

    public static GenericRow of(Object... values) {
        return new GenericRow(values.clone());
    }

    /** The fields of any row as objects; {@code types} has one type per field of the row. */
    public static GenericRow copyOf(RowView row, List<DataType> types) {
        Object[] values = new Object[types.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = row.isNullAt(i) ? null : read(row, i, types.get(i));
        }
        return new GenericRow(values);
    }

    private static Object read(RowView row, int i, DataType type) {
        return switch (type.root()) {
            case BOOLEAN -> row.booleanAt(i);
            case TINYINT -> row.byteAt(i);
            case SMALLINT -> row.shortAt(i);
            case INT, DATE, TIME -> row.intAt(i);
            case BIGINT -> row.longAt(i);
            case FLOAT -> row.floatAt(i);
            case DOUBLE -> row.doubleAt(i);
            case CHAR, STRING -> new String(row.bytesAt(i), StandardCharsets.UTF_8);
            case BINARY, BYTES -> row.bytesAt(i);
            case DECIMAL ->
                    type.length() <= 18
                            ? BigDecimal.valueOf(row.longAt(i), type.scale())
                            : new BigDecimal(new BigInteger(row.bytesAt(i)), type.scale());
            case TIMESTAMP -> LocalDateTime.ofInstant(instant(row, i), ZoneOffset.UTC);
            case TIMESTAMP_LTZ -> instant(row, i);
        };
    }

    private static Instant instant(RowView row, int i) {
        return Instant.ofEpochMilli(row.longAt(i)).plusNanos(row.nanosOfMilliAt(i));
    }

    public int size() {
        return values.length;
    }

    /** The field as it was given. */
    public Object valueAt(int index) {
        return values[index];
    }

    @Override
    public boolean isNullAt(int index) {
        return values[index] == null;
    }

    @Override
    public boolean booleanAt(int index) {
        return (Boolean) values[index];
    }

    @Override
    public byte byteAt(int index) {
        return (Byte) values[index];
    }

    @Override
    public short shortAt(int index) {
        return (Short) values[index];
    }

    @Override
    public int intAt(int index) {
        return (Integer) values[index];
    }

    @Override
    public long longAt(int index) {
        Object value = values[index];
        if (value instanceof BigDecimal decimal) {
            return decimal.unscaledValue().longValueExact();
        }
        if (value instanceof LocalDateTime || value instanceof Instant) {
            return instantAt(index).toEpochMilli();
        }
        return (Long) value;
    }

    @Override
    public float floatAt(int index) {
        return (Float) values[index];
    }

    @Override
    public double doubleAt(int index) {
        return (Double) values[index];
    }

    @Override
    public byte[] bytesAt(int index) {
        Object value = values[index];
        if (value instanceof String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        if (value instanceof BigDecimal decimal) {
            return decimal.unscaledValue().toByteArray();
        }
        return (byte[]) value;
    }

    @Override
    public int nanosOfMilliAt(int index) {
        return instantAt(index).getNano() % 1_000_000;
    }

    private Instant instantAt(int index) {
        return values[index] instanceof LocalDateTime local
                ? local.toInstant(ZoneOffset.UTC)
                : (Instant) values[index];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof GenericRow that && Arrays.deepEquals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(values);
    }

    @Override
    public String toString() {
        return Arrays.deepToString(values);
    }
}

package io.flinkfluss.lake.iceberg;

import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.iceberg.StructLike;

/** A row read from a file, in Iceberg's internal value forms, seen as a row of the table. */
final class RecordView implements RowView {
    private final DataType[] types;
    private StructLike row;

    RecordView(List<DataType> types) {
        this.types = types.toArray(new DataType[0]);
    }

    RecordView replace(StructLike next) {
        row = next;
        return this;
    }

    private Object value(int index) {
        return row.get(index, Object.class);
    }

    @Override
    public boolean isNullAt(int index) {
        return value(index) == null;
    }

    @Override
    public boolean booleanAt(int index) {
        return (Boolean) value(index);
    }

    @Override
    public byte byteAt(int index) {
        return ((Integer) value(index)).byteValue();
    }

    @Override
    public short shortAt(int index) {
        return ((Integer) value(index)).shortValue();
    }

    @Override
    public int intAt(int index) {
        return types[index].root() == TypeRoot.TIME
                ? (int) ((Long) value(index) / 1000)
                : (Integer) value(index);
    }

    @Override
    public long longAt(int index) {
        return switch (types[index].root()) {
            case DECIMAL -> ((BigDecimal) value(index)).unscaledValue().longValueExact();
            case TIMESTAMP, TIMESTAMP_LTZ -> Math.floorDiv((Long) value(index), 1000L);
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INT,
                    BIGINT,
                    FLOAT,
                    DOUBLE,
                    CHAR,
                    STRING,
                    BINARY,
                    BYTES,
                    DATE,
                    TIME ->
                    (Long) value(index);
        };
    }

    @Override
    public float floatAt(int index) {
        return (Float) value(index);
    }

    @Override
    public double doubleAt(int index) {
        return (Double) value(index);
    }

    @Override
    public byte[] bytesAt(int index) {
        Object value = value(index);
        if (value instanceof CharSequence text) {
            return text.toString().getBytes(StandardCharsets.UTF_8);
        }
        if (value instanceof BigDecimal decimal) {
            return decimal.unscaledValue().toByteArray();
        }
        ByteBuffer buffer = ((ByteBuffer) value).duplicate();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    @Override
    public int nanosOfMilliAt(int index) {
        return (int) Math.floorMod((Long) value(index), 1000L) * 1000;
    }
}

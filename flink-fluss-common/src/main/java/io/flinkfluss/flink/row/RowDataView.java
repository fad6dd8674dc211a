package io.flinkfluss.flink.row;

import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.util.List;
import org.apache.flink.table.data.RowData;

/**
 * Flink's row seen as ours, without copying. One object serves many rows by {@link #replace}; used
 * by one thread.
 */
public final class RowDataView implements RowView {
    private final DataType[] types;
    private RowData row;

    /** For rows with the table's columns, in order. */
    public RowDataView(Schema schema) {
        this(schema.columns().stream().map(Column::type).toList());
    }

    /** For rows with fields of these types, in order. */
    public RowDataView(List<DataType> types) {
        this.types = types.toArray(new DataType[0]);
    }

    /** Points at another row; the answer is this object. */
    public RowDataView replace(RowData next) {
        row = next;
        return this;
    }

    @Override
    public boolean isNullAt(int index) {
        return row.isNullAt(index);
    }

    @Override
    public boolean booleanAt(int index) {
        return row.getBoolean(index);
    }

    @Override
    public byte byteAt(int index) {
        return row.getByte(index);
    }

    @Override
    public short shortAt(int index) {
        return row.getShort(index);
    }

    @Override
    public int intAt(int index) {
        return row.getInt(index);
    }

    @Override
    public long longAt(int index) {
        DataType type = types[index];
        return switch (type.root()) {
            case TIMESTAMP, TIMESTAMP_LTZ ->
                    row.getTimestamp(index, type.length()).getMillisecond();
            case DECIMAL -> row.getDecimal(index, type.length(), type.scale()).toUnscaledLong();
            default -> row.getLong(index);
        };
    }

    @Override
    public float floatAt(int index) {
        return row.getFloat(index);
    }

    @Override
    public double doubleAt(int index) {
        return row.getDouble(index);
    }

    @Override
    public byte[] bytesAt(int index) {
        DataType type = types[index];
        if (type.root() == TypeRoot.CHAR || type.root() == TypeRoot.STRING) {
            return row.getString(index).toBytes();
        }
        if (type.root() == TypeRoot.DECIMAL) {
            return row.getDecimal(index, type.length(), type.scale()).toUnscaledBytes();
        }
        return row.getBinary(index);
    }

    @Override
    public int nanosOfMilliAt(int index) {
        return row.getTimestamp(index, types[index].length()).getNanoOfMillisecond();
    }
}

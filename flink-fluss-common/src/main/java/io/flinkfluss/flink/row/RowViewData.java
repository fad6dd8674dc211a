package io.flinkfluss.flink.row;

import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.types.RowKind;

/** Copies our rows to Flink's: for rows that arrive one by one, such as lookups and lake rows. */
public final class RowViewData {
    private final DataType[] types;
    private final int[] fields;

    /** All columns, in order. */
    public RowViewData(Schema schema) {
        this(schema.columns().stream().map(Column::type).toList());
    }

    /** Rows that hold exactly fields of these types. */
    public RowViewData(List<DataType> types) {
        this(types, identity(types.size()));
    }

    private RowViewData(List<DataType> types, int[] fields) {
        this.types = types.toArray(new DataType[0]);
        this.fields = fields;
    }

    /** The columns at these positions of rows that hold every column of the schema. */
    public static RowViewData projected(Schema schema, int[] columnIndexes) {
        List<DataType> types =
                Arrays.stream(columnIndexes)
                        .mapToObj(index -> schema.columns().get(index).type())
                        .toList();
        return new RowViewData(types, columnIndexes.clone());
    }

    /** A copy of the row with the kind INSERT. */
    public GenericRowData copy(RowView row) {
        return copy(row, RowKind.INSERT);
    }

    /** A copy of the row with this kind. */
    public GenericRowData copy(RowView row, RowKind kind) {
        GenericRowData copy = new GenericRowData(kind, fields.length);
        for (int i = 0; i < fields.length; i++) {
            copy.setField(i, row.isNullAt(fields[i]) ? null : value(row, fields[i], types[i]));
        }
        return copy;
    }

    private static Object value(RowView row, int index, DataType type) {
        return switch (type.root()) {
            case BOOLEAN -> row.booleanAt(index);
            case TINYINT -> row.byteAt(index);
            case SMALLINT -> row.shortAt(index);
            case INT, DATE, TIME -> row.intAt(index);
            case BIGINT -> row.longAt(index);
            case FLOAT -> row.floatAt(index);
            case DOUBLE -> row.doubleAt(index);
            case CHAR, STRING -> StringData.fromBytes(row.bytesAt(index));
            case BINARY, BYTES -> row.bytesAt(index);
            case DECIMAL -> decimal(row, index, type);
            case TIMESTAMP, TIMESTAMP_LTZ ->
                    TimestampData.fromEpochMillis(row.longAt(index), row.nanosOfMilliAt(index));
        };
    }

    private static DecimalData decimal(RowView row, int index, DataType type) {
        if (DecimalData.isCompact(type.length())) {
            return DecimalData.fromUnscaledLong(row.longAt(index), type.length(), type.scale());
        }
        BigDecimal value = new BigDecimal(new BigInteger(row.bytesAt(index)), type.scale());
        return DecimalData.fromBigDecimal(value, type.length(), type.scale());
    }

    private static int[] identity(int size) {
        return IntStream.range(0, size).toArray();
    }
}

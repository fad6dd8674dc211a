package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** The Arrow schema of a table's batches. */
public final class ArrowSchemas {
    private ArrowSchemas() {}

    /**
     * @param columnIndexes positions of the wanted columns, in the wanted order; null for all
     */
    public static org.apache.arrow.vector.types.pojo.Schema toArrow(
            Schema schema, int[] columnIndexes) {
        List<Field> fields = new ArrayList<>();
        for (int index : orAll(schema, columnIndexes)) {
            Column column = schema.columns().get(index);
            fields.add(
                    new Field(
                            column.name(),
                            new FieldType(column.type().nullable(), toArrow(column.type()), null),
                            null));
        }
        return new org.apache.arrow.vector.types.pojo.Schema(fields);
    }

    static int[] orAll(Schema schema, int[] columnIndexes) {
        return columnIndexes == null
                ? IntStream.range(0, schema.columns().size()).toArray()
                : columnIndexes;
    }

    private static ArrowType toArrow(DataType type) {
        return switch (type.root()) {
            case BOOLEAN -> new ArrowType.Bool();
            case TINYINT -> new ArrowType.Int(8, true);
            case SMALLINT -> new ArrowType.Int(16, true);
            case INT -> new ArrowType.Int(32, true);
            case BIGINT -> new ArrowType.Int(64, true);
            case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
            case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case CHAR, STRING -> new ArrowType.Utf8();
            case BINARY, BYTES -> new ArrowType.Binary();
            case DECIMAL -> new ArrowType.Decimal(type.length(), type.scale(), 128);
            case DATE -> new ArrowType.Date(DateUnit.DAY);
            case TIME -> new ArrowType.Time(TimeUnit.MILLISECOND, 32);
            case TIMESTAMP -> new ArrowType.Timestamp(unit(type), null);
            case TIMESTAMP_LTZ -> new ArrowType.Timestamp(unit(type), "UTC");
        };
    }

    private static TimeUnit unit(DataType type) {
        if (type.length() <= 3) {
            return TimeUnit.MILLISECOND;
        }
        return type.length() <= 6 ? TimeUnit.MICROSECOND : TimeUnit.NANOSECOND;
    }
}

package io.flinkfluss.flink.type;

import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.util.List;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BinaryType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.SmallIntType;
import org.apache.flink.table.types.logical.TimeType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.TinyIntType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;

/** Translates column types; what a column can hold is exactly what both sides can. */
public final class FlinkTypes {
    private static final String SUPPORTED =
            "BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, CHAR(n), STRING, BINARY(n), BYTES, DECIMAL(p, s), DATE, TIME(p), TIMESTAMP(p) and TIMESTAMP_LTZ(p)";

    /**
     * Our type for a column.
     *
     * @throws ValidationException naming the column, its type and what is supported
     */
    public static DataType toStorage(String column, LogicalType type) {
        DataType ours = ours(type);
        if (ours == null) {
            throw new ValidationException(
                    "column "
                            + column
                            + " has the type "
                            + type.asSummaryString()
                            + ", which is not supported; supported are "
                            + SUPPORTED
                            + hint(type));
        }
        return ours.withNullable(type.isNullable());
    }

    /**
     * Our type where there is no column to name.
     *
     * @throws ValidationException naming the type and what is supported
     */
    public static DataType toStorage(LogicalType type) {
        return toStorage("(without a name)", type);
    }

    /** Flink's logical type for a column type, with the same nullability. */
    public static LogicalType toFlink(DataType type) {
        LogicalType flink =
                switch (type.root()) {
                    case BOOLEAN -> new BooleanType();
                    case TINYINT -> new TinyIntType();
                    case SMALLINT -> new SmallIntType();
                    case INT -> new IntType();
                    case BIGINT -> new BigIntType();
                    case FLOAT -> new FloatType();
                    case DOUBLE -> new DoubleType();
                    case CHAR -> new CharType(type.length());
                    case STRING -> VarCharType.STRING_TYPE;
                    case BINARY -> new BinaryType(type.length());
                    case BYTES -> new VarBinaryType(VarBinaryType.MAX_LENGTH);
                    case DECIMAL -> new DecimalType(type.length(), type.scale());
                    case DATE -> new DateType();
                    case TIME -> new TimeType(type.length());
                    case TIMESTAMP -> new TimestampType(type.length());
                    case TIMESTAMP_LTZ -> new LocalZonedTimestampType(type.length());
                };
        return flink.copy(type.nullable());
    }

    /** The row type of a table's columns, in order. */
    public static RowType toFlink(Schema schema) {
        return rowType(schema.columns());
    }

    /** The row type of these columns. */
    public static RowType rowType(List<Column> columns) {
        return new RowType(
                false,
                columns.stream()
                        .map(column -> new RowType.RowField(column.name(), toFlink(column.type())))
                        .toList());
    }

    private static DataType ours(LogicalType type) {
        return switch (type.getTypeRoot()) {
            case BOOLEAN -> DataType.of(TypeRoot.BOOLEAN);
            case TINYINT -> DataType.of(TypeRoot.TINYINT);
            case SMALLINT -> DataType.of(TypeRoot.SMALLINT);
            case INTEGER -> DataType.of(TypeRoot.INT);
            case BIGINT -> DataType.of(TypeRoot.BIGINT);
            case FLOAT -> DataType.of(TypeRoot.FLOAT);
            case DOUBLE -> DataType.of(TypeRoot.DOUBLE);
            case CHAR -> DataType.of(TypeRoot.CHAR, ((CharType) type).getLength());
            case VARCHAR ->
                    ((VarCharType) type).getLength() == VarCharType.MAX_LENGTH
                            ? DataType.of(TypeRoot.STRING)
                            : null;
            case BINARY -> DataType.of(TypeRoot.BINARY, ((BinaryType) type).getLength());
            case VARBINARY ->
                    ((VarBinaryType) type).getLength() == VarBinaryType.MAX_LENGTH
                            ? DataType.of(TypeRoot.BYTES)
                            : null;
            case DECIMAL -> {
                DecimalType decimal = (DecimalType) type;
                yield DataType.decimal(decimal.getPrecision(), decimal.getScale());
            }
            case DATE -> DataType.of(TypeRoot.DATE);
            case TIME_WITHOUT_TIME_ZONE ->
                    DataType.of(TypeRoot.TIME, ((TimeType) type).getPrecision());
            case TIMESTAMP_WITHOUT_TIME_ZONE ->
                    DataType.of(TypeRoot.TIMESTAMP, ((TimestampType) type).getPrecision());
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                    DataType.of(
                            TypeRoot.TIMESTAMP_LTZ,
                            ((LocalZonedTimestampType) type).getPrecision());
            default -> null;
        };
    }

    private static String hint(LogicalType type) {
        return switch (type.getTypeRoot()) {
            case VARCHAR -> "; use STRING";
            case VARBINARY -> "; use BYTES";
            default -> "";
        };
    }

    private FlinkTypes() {}
}

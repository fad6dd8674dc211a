package io.flinkfluss.lake.iceberg;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * How column types are held in Iceberg. Everything is held exactly or refused; TINYINT and SMALLINT
 * become int, CHAR becomes string, TIME counts microseconds.
 */
final class IcebergTypes {
    private static final int MICROSECONDS = 6;

    private IcebergTypes() {}

    /**
     * @throws StorageException UNSUPPORTED naming the column, when Iceberg cannot hold it exactly
     */
    static Type of(Column column) {
        DataType type = column.type();
        return switch (type.root()) {
            case BOOLEAN -> Types.BooleanType.get();
            case TINYINT, SMALLINT, INT -> Types.IntegerType.get();
            case BIGINT -> Types.LongType.get();
            case FLOAT -> Types.FloatType.get();
            case DOUBLE -> Types.DoubleType.get();
            case CHAR, STRING -> Types.StringType.get();
            case BINARY, BYTES -> Types.BinaryType.get();
            case DECIMAL -> Types.DecimalType.of(type.length(), type.scale());
            case DATE -> Types.DateType.get();
            case TIME -> Types.TimeType.get();
            case TIMESTAMP -> {
                requireMicroseconds(column);
                yield Types.TimestampType.withoutZone();
            }
            case TIMESTAMP_LTZ -> {
                requireMicroseconds(column);
                yield Types.TimestampType.withZone();
            }
        };
    }

    private static void requireMicroseconds(Column column) {
        if (column.type().length() > MICROSECONDS) {
            throw new StorageException(
                    ErrorCode.UNSUPPORTED,
                    "column "
                            + column.name()
                            + " has the type "
                            + column.type()
                            + ", which an Iceberg table of format version 2 cannot hold exactly: it"
                            + " keeps at most 6 fractional digits. Declare "
                            + column.type().root()
                            + "(6) or fewer, or create the table with table.datalake.enabled="
                            + "false");
        }
    }

    /** Whether Iceberg's bucket transform takes this type. */
    static boolean canBucket(DataType type) {
        return switch (type.root()) {
            case BOOLEAN, FLOAT, DOUBLE -> false;
            case TINYINT,
                    SMALLINT,
                    INT,
                    BIGINT,
                    CHAR,
                    STRING,
                    BINARY,
                    BYTES,
                    DECIMAL,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_LTZ ->
                    true;
        };
    }

    /** The field as Iceberg keeps it in a partition tuple. */
    static Object partitionValue(RowView row, int index, DataType type) {
        if (row.isNullAt(index)) {
            return null;
        }
        return switch (type.root()) {
            case BOOLEAN -> row.booleanAt(index);
            case TINYINT -> (int) row.byteAt(index);
            case SMALLINT -> (int) row.shortAt(index);
            case INT, DATE -> row.intAt(index);
            case BIGINT -> row.longAt(index);
            case FLOAT -> row.floatAt(index);
            case DOUBLE -> row.doubleAt(index);
            case CHAR, STRING -> new String(row.bytesAt(index), StandardCharsets.UTF_8);
            case BINARY, BYTES -> ByteBuffer.wrap(row.bytesAt(index));
            case DECIMAL -> new BigDecimal(unscaled(row, index, type), type.scale());
            case TIME -> row.intAt(index) * 1000L;
            case TIMESTAMP, TIMESTAMP_LTZ -> micros(row, index);
        };
    }

    static long micros(RowView row, int index) {
        return row.longAt(index) * 1000 + row.nanosOfMilliAt(index) / 1000;
    }

    private static BigInteger unscaled(RowView row, int index, DataType type) {
        return type.length() <= 18
                ? BigInteger.valueOf(row.longAt(index))
                : new BigInteger(row.bytesAt(index));
    }
}

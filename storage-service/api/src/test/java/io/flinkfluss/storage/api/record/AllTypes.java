package io.flinkfluss.storage.api.record;

import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;

/** A schema with every type, and rows with the extremes of each. */
public final class AllTypes {
    public static final List<DataType> TYPES =
            List.of(
                    DataType.of(TypeRoot.BOOLEAN),
                    DataType.of(TypeRoot.TINYINT),
                    DataType.of(TypeRoot.SMALLINT),
                    DataType.of(TypeRoot.INT),
                    DataType.of(TypeRoot.BIGINT),
                    DataType.of(TypeRoot.FLOAT),
                    DataType.of(TypeRoot.DOUBLE),
                    DataType.of(TypeRoot.CHAR, 3),
                    DataType.of(TypeRoot.STRING),
                    DataType.of(TypeRoot.BINARY, 2),
                    DataType.of(TypeRoot.BYTES),
                    DataType.decimal(18, 2),
                    DataType.decimal(38, 5),
                    DataType.of(TypeRoot.DATE),
                    DataType.of(TypeRoot.TIME, 3),
                    DataType.of(TypeRoot.TIMESTAMP, 3),
                    DataType.of(TypeRoot.TIMESTAMP, 6),
                    DataType.of(TypeRoot.TIMESTAMP, 9),
                    DataType.of(TypeRoot.TIMESTAMP_LTZ, 3),
                    DataType.of(TypeRoot.TIMESTAMP_LTZ, 6),
                    DataType.of(TypeRoot.TIMESTAMP_LTZ, 9));

    public static final Schema SCHEMA = schema();

    private AllTypes() {}

    private static Schema schema() {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < TYPES.size(); i++) {
            columns.add(Column.of(i, "c" + i, TYPES.get(i)));
        }
        return new Schema(1, columns, List.of());
    }

    /** Rows with NULLs, smallest, largest and special values. */
    public static List<GenericRow> rows() {
        BigDecimal largest = new BigDecimal("9".repeat(33) + ".99999");
        return List.of(
                GenericRow.of(new Object[TYPES.size()]),
                GenericRow.of(
                        false,
                        Byte.MIN_VALUE,
                        Short.MIN_VALUE,
                        Integer.MIN_VALUE,
                        Long.MIN_VALUE,
                        Float.NEGATIVE_INFINITY,
                        -Double.MAX_VALUE,
                        "",
                        "",
                        new byte[] {0, 0},
                        new byte[0],
                        new BigDecimal("-9999999999999999.99"),
                        largest.negate(),
                        -719162,
                        0,
                        LocalDateTime.parse("0001-01-01T00:00:00"),
                        LocalDateTime.parse("0001-01-01T00:00:00.000001"),
                        LocalDateTime.parse("1677-09-22T00:00:00.000000001"),
                        Instant.parse("0001-01-01T00:00:00Z"),
                        Instant.parse("1969-12-31T23:59:59.999999Z"),
                        Instant.parse("1969-12-31T23:59:59.999999999Z")),
                GenericRow.of(
                        true,
                        Byte.MAX_VALUE,
                        Short.MAX_VALUE,
                        Integer.MAX_VALUE,
                        Long.MAX_VALUE,
                        Float.NaN,
                        Double.NaN,
                        "xyz",
                        "zoë \u0000 𝄞".repeat(20),
                        new byte[] {-1, -1},
                        new byte[] {0, -1, 0, 1},
                        new BigDecimal("9999999999999999.99"),
                        largest,
                        2932896,
                        86_399_999,
                        LocalDateTime.parse("9999-12-31T23:59:59.999"),
                        LocalDateTime.parse("9999-12-31T23:59:59.999999"),
                        LocalDateTime.parse("2262-04-11T00:00:00.123456789"),
                        Instant.parse("9999-12-31T23:59:59.999Z"),
                        Instant.parse("9999-12-31T23:59:59.999999Z"),
                        Instant.parse("2262-04-11T00:00:00.123456789Z")),
                GenericRow.of(
                        true,
                        (byte) 0,
                        (short) 0,
                        0,
                        0L,
                        0.0f,
                        0.0d,
                        "a\u0000b",
                        "a",
                        new byte[] {1, 2},
                        new byte[] {0},
                        new BigDecimal("0.00"),
                        new BigDecimal("0.00000"),
                        0,
                        1,
                        LocalDateTime.parse("1970-01-01T00:00:00"),
                        LocalDateTime.parse("1970-01-01T00:00:00"),
                        LocalDateTime.parse("1970-01-01T00:00:00"),
                        Instant.EPOCH,
                        Instant.EPOCH,
                        Instant.EPOCH));
    }
}

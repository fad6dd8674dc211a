package io.flinkfluss.lake;

import io.flinkfluss.storage.api.record.RowView;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Tables and rows for tests of lake formats. */
public final class LakeTables {
    private LakeTables() {}

    /** Columns {@code name, type, name, type, …}. */
    public static Schema schema(List<String> primaryKey, Object... namesAndTypes) {
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < namesAndTypes.length; i += 2) {
            columns.add(
                    Column.of(
                            columns.size() + 1,
                            (String) namesAndTypes[i],
                            (DataType) namesAndTypes[i + 1]));
        }
        return new Schema(1, columns, primaryKey);
    }

    public static TableInfo table(
            long id, String name, Schema schema, List<String> bucketKey, int buckets) {
        TableDescriptor descriptor =
                new TableDescriptor(
                        schema,
                        List.of(),
                        bucketKey,
                        buckets,
                        Map.of("table.datalake.enabled", "true"),
                        Map.of(),
                        "");
        return new TableInfo(new TableId(id), new TablePath("shop", name), descriptor, 0, 0);
    }

    /** {@code (id BIGINT NOT NULL, name STRING)}, bucketed by id. */
    public static TableInfo logTable(long id, String name) {
        return table(
                id,
                name,
                schema(
                        List.of(),
                        "id",
                        DataType.of(TypeRoot.BIGINT).notNull(),
                        "name",
                        DataType.of(TypeRoot.STRING)),
                List.of("id"),
                2);
    }

    /** {@code (name STRING, id BIGINT NOT NULL, PRIMARY KEY (id))}. */
    public static TableInfo keyedTable(long id, String name) {
        return table(
                id,
                name,
                schema(
                        List.of("id"),
                        "name",
                        DataType.of(TypeRoot.STRING),
                        "id",
                        DataType.of(TypeRoot.BIGINT).notNull()),
                List.of("id"),
                2);
    }

    /** A row's fields as plain objects that have equals. */
    public static List<Object> values(RowView row, List<DataType> types) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            values.add(row.isNullAt(i) ? null : value(row, i, types.get(i)));
        }
        return values;
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
            case CHAR, STRING -> new String(row.bytesAt(index), StandardCharsets.UTF_8);
            case BINARY, BYTES -> HexFormat.of().formatHex(row.bytesAt(index));
            case DECIMAL ->
                    new BigDecimal(
                            type.length() <= 18
                                    ? BigInteger.valueOf(row.longAt(index))
                                    : new BigInteger(row.bytesAt(index)),
                            type.scale());
            case TIMESTAMP -> LocalDateTime.ofInstant(instant(row, index), ZoneOffset.UTC);
            case TIMESTAMP_LTZ -> instant(row, index);
        };
    }

    private static Instant instant(RowView row, int index) {
        return Instant.ofEpochMilli(row.longAt(index)).plusNanos(row.nanosOfMilliAt(index));
    }
}

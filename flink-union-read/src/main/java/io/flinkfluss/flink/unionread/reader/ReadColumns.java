package io.flinkfluss.flink.unionread.reader;

import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The columns that are fetched from both tiers: first the asked ones, then what is needed beside
 * them.
 *
 * @param table the table's schema
 * @param indexes positions in the table's schema of the fetched columns
 * @param outputs how many of them, from the first, the row of the answer has
 */
record ReadColumns(Schema table, int[] indexes, int outputs) {
    /** The asked columns; when none is asked, the smallest one, because rows must be counted. */
    static ReadColumns asked(Schema table, int[] projection) {
        int[] indexes = projection.length > 0 ? projection : new int[] {smallest(table)};
        return new ReadColumns(table, indexes, projection.length);
    }

    /** The asked columns and the primary key. */
    static ReadColumns withKey(Schema table, int[] projection) {
        int[] missing =
                IntStream.of(table.keyIndexes())
                        .filter(key -> IntStream.of(projection).noneMatch(asked -> asked == key))
                        .toArray();
        int[] indexes = IntStream.concat(IntStream.of(projection), IntStream.of(missing)).toArray();
        return new ReadColumns(table, indexes, projection.length);
    }

    /** The fetched columns as a schema of their own. */
    Schema fetched() {
        List<Column> columns = IntStream.of(indexes).mapToObj(table.columns()::get).toList();
        boolean keyed =
                table.primaryKey().stream()
                        .allMatch(key -> columns.stream().anyMatch(c -> c.name().equals(key)));
        return new Schema(table.id(), columns, keyed ? table.primaryKey() : List.of());
    }

    List<DataType> outputTypes() {
        return IntStream.of(indexes)
                .limit(outputs)
                .mapToObj(index -> table.columns().get(index).type())
                .toList();
    }

    private static int smallest(Schema table) {
        return IntStream.range(0, table.columns().size())
                .boxed()
                .min(Comparator.comparingInt(i -> width(table.columns().get(i).type())))
                .orElse(0);
    }

    private static int width(DataType type) {
        return switch (type.root()) {
            case BOOLEAN, TINYINT -> 1;
            case SMALLINT -> 2;
            case INT, DATE, TIME, FLOAT -> 4;
            case BIGINT, DOUBLE, TIMESTAMP, TIMESTAMP_LTZ -> 8;
            case DECIMAL -> 16;
            case CHAR, STRING, BINARY, BYTES -> 64;
        };
    }
}

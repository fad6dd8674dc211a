package io.flinkfluss.flink.lookup;

import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.api.ValidationException;

/**
 * How the columns that a join compares find rows of a primary-key table. Positions are those of the
 * values in the join's key row, which come in any order.
 *
 * @param keyPositions position of the value of each leading primary-key column that is given, in
 *     key order; 1 or more
 * @param isWholeKey whether these are all columns of the primary key, so that at most one row is
 *     found
 * @param bucketPositions position of the value of each bucket-key column, in order; empty when not
 *     all are given, so that every bucket must be asked
 * @param residuals values that are compared after rows were found
 */
public record LookupPlan(
        List<Integer> keyPositions,
        boolean isWholeKey,
        List<Integer> bucketPositions,
        List<Residual> residuals) {
    public LookupPlan {
        keyPositions = List.copyOf(keyPositions);
        bucketPositions = List.copyOf(bucketPositions);
        residuals = List.copyOf(residuals);
    }

    /**
     * A value that must equal a column that does not help to find rows.
     *
     * @param position of the value in the join's key row
     * @param column position of the column in the schema
     */
    public record Residual(int position, int column) {}

    /**
     * @param columns per value of the join's key row the position of its column in the schema
     * @throws ValidationException when rows cannot be found by these columns
     */
    public static LookupPlan of(TableInfo table, int[] columns) {
        Schema schema = table.schema();
        List<String> given = new ArrayList<>();
        for (int column : columns) {
            given.add(schema.columns().get(column).name());
        }
        if (!schema.hasPrimaryKey()) {
            throw new ValidationException(
                    String.format(
                            "Table %s cannot be joined by lookup: it has no primary key. Join it as"
                                    + " a stream, or create it with PRIMARY KEY (%s) NOT ENFORCED",
                            table.path(), String.join(", ", given)));
        }
        List<Integer> keyPositions = new ArrayList<>();
        for (String key : schema.primaryKey()) {
            int position = given.indexOf(key);
            if (position < 0) {
                break;
            }
            keyPositions.add(position);
        }
        if (keyPositions.isEmpty()) {
            throw new ValidationException(
                    String.format(
                            "Table %s cannot be joined by lookup on %s: rows are found by the"
                                    + " primary key (%s) or its first columns. Compare at least %s"
                                    + " for equality, or join the table as a stream",
                            table.path(),
                            given,
                            String.join(", ", schema.primaryKey()),
                            schema.primaryKey().get(0)));
        }
        List<Residual> residuals = new ArrayList<>();
        for (int i = 0; i < columns.length; i++) {
            if (!keyPositions.contains(i)) {
                residuals.add(new Residual(i, columns[i]));
            }
        }
        return new LookupPlan(
                keyPositions,
                keyPositions.size() == schema.primaryKey().size(),
                bucketPositions(table, given, keyPositions),
                residuals);
    }

    private static List<Integer> bucketPositions(
            TableInfo table, List<String> given, List<Integer> keyPositions) {
        List<String> bucketKey = table.descriptor().bucketKey();
        List<Integer> positions = new ArrayList<>();
        for (String name : bucketKey.isEmpty() ? table.schema().primaryKey() : bucketKey) {
            int position = given.indexOf(name);
            if (!keyPositions.contains(position)) {
                return List.of();
            }
            positions.add(position);
        }
        return positions;
    }

    /** Whether one bucket holds all rows that are looked for. */
    public boolean isOneBucket() {
        return !bucketPositions.isEmpty();
    }
}

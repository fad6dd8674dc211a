package io.flinkfluss.storage.api.table;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Columns in user order and the names of the primary-key columns in key order (empty for a log
 * table).
 *
 * @param id the schema's number within its table, from 1; batches and rows keep the number they
 *     were written with
 */
public record Schema(int id, List<Column> columns, List<String> primaryKey) {
    public Schema {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
        Set<String> names = new HashSet<>();
        for (Column column : columns) {
            if (!names.add(column.name())) {
                throw new IllegalArgumentException(
                        "column " + column.name() + " is declared twice");
            }
        }
        for (String key : primaryKey) {
            if (!names.contains(key)) {
                throw new IllegalArgumentException(
                        "primary key column " + key + " is not among the columns " + names);
            }
        }
    }

    public boolean hasPrimaryKey() {
        return !primaryKey.isEmpty();
    }

    /** Position of the column with this name, or -1. */
    public int indexOf(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** Positions of the primary-key columns, in key order. */
    public int[] keyIndexes() {
        return primaryKey.stream().mapToInt(this::indexOf).toArray();
    }

    /** Positions of these columns, in the given order; each must exist. */
    public int[] indexesOf(List<String> names) {
        return names.stream().mapToInt(this::indexOf).toArray();
    }
}

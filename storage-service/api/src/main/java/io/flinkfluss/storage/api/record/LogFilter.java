package io.flinkfluss.storage.api.record;

import java.util.List;

/**
 * Which rows of a log table a reader is looking for: those that satisfy every predicate. It is a
 * hint: batches whose statistics say that they hold no such row may be left out of a read. All
 * other batches come as a whole, so the reader still has to look at each row.
 *
 * @param schemaId the schema that the predicates were made for. Batches of another one are never
 *     left out, because their columns may have had other types
 */
public record LogFilter(int schemaId, List<ColumnPredicate> predicates) {
    /** Leaves nothing out. */
    public static final LogFilter NONE = new LogFilter(0, List.of());

    public LogFilter {
        predicates = List.copyOf(predicates);
    }

    public boolean isNone() {
        return predicates.isEmpty();
    }

    /**
     * Whether a batch may hold such a row; false only when its statistics exclude it.
     *
     * @param statistics what is known of the batch's columns; any may be missing
     */
    public boolean mayMatch(int batchSchema, int rowCount, List<ColumnStatistics> statistics) {
        if (batchSchema != schemaId) {
            return true;
        }
        for (ColumnPredicate predicate : predicates) {
            for (ColumnStatistics column : statistics) {
                if (column.columnId() == predicate.columnId()
                        && !predicate.mayHold(column, rowCount)) {
                    return false;
                }
            }
        }
        return true;
    }
}

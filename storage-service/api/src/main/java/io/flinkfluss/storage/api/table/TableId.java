package io.flinkfluss.storage.api.table;

/** The number of a table; never reused, so a dropped and re-created table is a different table. */
public record TableId(long value) implements Comparable<TableId> {
    @Override
    public int compareTo(TableId other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}

package io.flinkfluss.storage.api.table;

import java.util.Objects;

/** The name of a table as users write it. */
public record TablePath(String database, String table) {
    public TablePath {
        Objects.requireNonNull(database, "database");
        Objects.requireNonNull(table, "table");
    }

    @Override
    public String toString() {
        return database + "." + table;
    }
}

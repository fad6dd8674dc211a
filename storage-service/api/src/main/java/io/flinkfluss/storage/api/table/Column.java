package io.flinkfluss.storage.api.table;

import java.util.Objects;

/**
 * A column. Its id is unique in the table for ever, so a renamed column keeps its data and a
 * dropped name can be reused.
 *
 * @param comment empty when there is none
 */
public record Column(int id, String name, DataType type, String comment) {
    public Column {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(comment, "comment");
    }

    public static Column of(int id, String name, DataType type) {
        return new Column(id, name, type, "");
    }
}

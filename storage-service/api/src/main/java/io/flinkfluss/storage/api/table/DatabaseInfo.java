package io.flinkfluss.storage.api.table;

import java.util.Map;
import java.util.TreeMap;

/** A database that exists. */
public record DatabaseInfo(
        String name, String comment, Map<String, String> properties, long createdAtMillis) {
    public DatabaseInfo {
        properties = java.util.Collections.unmodifiableMap(new TreeMap<>(properties));
    }
}

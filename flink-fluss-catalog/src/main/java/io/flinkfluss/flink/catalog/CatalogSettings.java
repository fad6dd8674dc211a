package io.flinkfluss.flink.catalog;

import io.flinkfluss.flink.options.ConnectionOptions;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.configuration.Configuration;

/**
 * What CREATE CATALOG gave.
 *
 * @param client {@code bootstrap.servers} and {@code client.*}
 * @param lake the lake's own settings with their prefix, such as {@code iceberg.warehouse}
 */
record CatalogSettings(Map<String, String> client, Map<String, String> lake) {
    static final CatalogSettings NONE = new CatalogSettings(Map.of(), Map.of());

    CatalogSettings {
        client = Map.copyOf(client);
        lake = Map.copyOf(lake);
    }

    ConnectionOptions connection() {
        return connection(Map.of());
    }

    /** The catalog's connection, changed by what a table or a hint says about it. */
    ConnectionOptions connection(Map<String, String> tableOptions) {
        Map<String, String> merged = new HashMap<>(client);
        merged.putAll(tableOptions);
        return ConnectionOptions.of(Configuration.fromMap(merged));
    }
}

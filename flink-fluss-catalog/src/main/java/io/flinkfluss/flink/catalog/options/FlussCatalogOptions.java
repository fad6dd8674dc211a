package io.flinkfluss.flink.catalog.options;

import io.flinkfluss.flink.options.FlussOptions;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Options of {@code CREATE CATALOG … WITH ('type' = 'fluss', …)}. */
public final class FlussCatalogOptions {
    public static final ConfigOption<String> DEFAULT_DATABASE =
            ConfigOptions.key("default-database")
                    .stringType()
                    .defaultValue("fluss")
                    .withDescription("The database in use after USE CATALOG; it must exist.");

    private FlussCatalogOptions() {}

    /** Every option that a catalog may carry besides {@code type} and the lake's own settings. */
    public static List<ConfigOption<?>> all() {
        List<ConfigOption<?>> all = new ArrayList<>(FlussOptions.all());
        all.add(DEFAULT_DATABASE);
        return all;
    }
}

package io.flinkfluss.flink.options;

import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.connector.source.lookup.LookupOptions;

/** Options of lookup joins: ours and those of Flink that we honour. */
public final class LookupJoinOptions {
    public static final ConfigOption<Boolean> ASYNC =
            ConfigOptions.key("lookup.async")
                    .booleanType()
                    .defaultValue(true)
                    .withDescription("Whether many lookups may be on their way at once.");

    /** The options of this class. */
    public static List<ConfigOption<?>> all() {
        return List.of(
                ASYNC,
                LookupOptions.CACHE_TYPE,
                LookupOptions.MAX_RETRIES,
                LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_ACCESS,
                LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_WRITE,
                LookupOptions.PARTIAL_CACHE_CACHE_MISSING_KEY,
                LookupOptions.PARTIAL_CACHE_MAX_ROWS);
    }

    private LookupJoinOptions() {}
}

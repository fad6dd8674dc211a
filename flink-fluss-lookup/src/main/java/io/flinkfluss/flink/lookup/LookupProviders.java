package io.flinkfluss.flink.lookup;

import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.flink.options.LookupJoinOptions;
import io.flinkfluss.storage.api.table.TableInfo;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.LookupTableSource.LookupRuntimeProvider;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupOptions;
import org.apache.flink.table.connector.source.lookup.PartialCachingAsyncLookupProvider;
import org.apache.flink.table.connector.source.lookup.PartialCachingLookupProvider;
import org.apache.flink.table.connector.source.lookup.cache.DefaultLookupCache;
import org.apache.flink.table.connector.source.lookup.cache.LookupCache;

/** Makes what Flink runs for a lookup join, as the table's options say. */
public final class LookupProviders {
    private LookupProviders() {}

    /**
     * @param config the table's options, see {@link LookupJoinOptions}
     * @param keyColumns per value of the join's key row the position of its column in the schema
     * @param projection positions of the wanted columns in the schema, in the wanted order
     * @throws ValidationException when rows cannot be found by these columns or the cache is FULL
     */
    public static LookupRuntimeProvider of(
            TableInfo table,
            ConnectionOptions options,
            ReadableConfig config,
            int[] keyColumns,
            int[] projection) {
        LookupCache cache =
                switch (config.get(LookupOptions.CACHE_TYPE)) {
                    case NONE -> null;
                    case PARTIAL -> DefaultLookupCache.fromConfig(config);
                    case FULL ->
                            throw new ValidationException(
                                    String.format(
                                            "Table %s sets '%s' to FULL, which is not supported:"
                                                    + " use NONE or PARTIAL",
                                            table.path(), LookupOptions.CACHE_TYPE.key()));
                };
        if (config.get(LookupJoinOptions.ASYNC)) {
            FlussAsyncLookupFunction function =
                    new FlussAsyncLookupFunction(table, options, keyColumns, projection);
            return cache == null
                    ? AsyncLookupFunctionProvider.of(function)
                    : PartialCachingAsyncLookupProvider.of(function, cache);
        }
        FlussLookupFunction function =
                new FlussLookupFunction(table, options, keyColumns, projection);
        return cache == null
                ? LookupFunctionProvider.of(function)
                : PartialCachingLookupProvider.of(function, cache);
    }
}

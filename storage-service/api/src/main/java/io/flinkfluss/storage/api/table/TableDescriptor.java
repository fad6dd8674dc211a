package io.flinkfluss.storage.api.table;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a table is, as its creator asked for it.
 *
 * @param bucketKey columns whose hash chooses the bucket; for a primary-key table a prefix or
 *     subset of the key; empty for a log table whose writers choose freely
 * @param options {@code table.*} options as text, only those that were given; see {@link
 *     TableOption}
 * @param customProperties everything else the creator wants kept (the catalog keeps computed
 *     columns and watermarks here)
 * @param comment empty when there is none
 */
public record TableDescriptor(
        Schema schema,
        List<String> partitionKeys,
        List<String> bucketKey,
        int bucketCount,
        Map<String, String> options,
        Map<String, String> customProperties,
        String comment) {
    public TableDescriptor {
        partitionKeys = List.copyOf(partitionKeys);
        bucketKey = List.copyOf(bucketKey);
        options = java.util.Collections.unmodifiableMap(new TreeMap<>(options));
        customProperties = java.util.Collections.unmodifiableMap(new TreeMap<>(customProperties));
        if (bucketCount < 1) {
            throw new IllegalArgumentException("bucket.num is 1 or more, not " + bucketCount);
        }
    }

    public boolean hasPrimaryKey() {
        return schema.hasPrimaryKey();
    }

    /** The option's value as text: what was given, else its default. */
    public String option(TableOption option) {
        return options.getOrDefault(option.key(), option.defaultValue());
    }

    /**
     * An option that is a length of time.
     *
     * @throws IllegalArgumentException when its value is none
     */
    public Duration duration(TableOption option) {
        return DurationText.parse(option(option));
    }

    public boolean lakeEnabled() {
        return Boolean.parseBoolean(option(TableOption.DATALAKE_ENABLED));
    }
}

package io.flinkfluss.flink.sink;

import io.flinkfluss.flink.options.SinkOptions;
import io.flinkfluss.flink.options.SinkOptions.DistributionMode;
import io.flinkfluss.storage.api.table.TableInfo;
import java.io.Serializable;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;

/**
 * How rows are written.
 *
 * @param ignoreDelete whether deletes and the old rows of updates are left out
 */
public record SinkSettings(DistributionMode distribution, boolean ignoreDelete)
        implements Serializable {
    /** What the options say by default. */
    public static final SinkSettings DEFAULT = new SinkSettings(DistributionMode.AUTO, false);

    /** From a table's options, see {@link SinkOptions}. */
    public static SinkSettings of(ReadableConfig config) {
        DistributionMode distribution =
                config.getOptional(SinkOptions.DISTRIBUTION_MODE)
                        .orElse(
                                config.get(SinkOptions.BUCKET_SHUFFLE)
                                        ? DistributionMode.AUTO
                                        : DistributionMode.NONE);
        return new SinkSettings(distribution, config.get(SinkOptions.IGNORE_DELETE));
    }

    /**
     * Whether rows of one bucket go to one parallel writer.
     *
     * @throws ValidationException when the table cannot be written in this way
     */
    boolean shufflesByBucket(TableInfo table) {
        boolean hasBucketKey = table.hasPrimaryKey() || !table.descriptor().bucketKey().isEmpty();
        return switch (distribution) {
            case AUTO -> hasBucketKey;
            case NONE -> false;
            case BUCKET -> {
                if (!hasBucketKey) {
                    throw refused(
                            table,
                            "the table has no bucket key: use AUTO or NONE, or create it with"
                                    + " 'bucket.key'");
                }
                yield true;
            }
            case PARTITION_DYNAMIC ->
                    throw refused(table, "the table has no partitions: use AUTO, NONE or BUCKET");
        };
    }

    private ValidationException refused(TableInfo table, String why) {
        return new ValidationException(
                String.format(
                        "Table %s cannot be written with '%s' = '%s': %s",
                        table.path(), SinkOptions.DISTRIBUTION_MODE.key(), distribution, why));
    }
}

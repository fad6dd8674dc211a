package io.flinkfluss.flink.options;

import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Options of writing; the names are the anchor's. */
public final class SinkOptions {
    /** How rows are spread over the sink's parallel writers. */
    public enum DistributionMode {
        AUTO,
        NONE,
        BUCKET,
        PARTITION_DYNAMIC
    }

    public static final ConfigOption<DistributionMode> DISTRIBUTION_MODE =
            ConfigOptions.key("sink.distribution-mode")
                    .enumType(DistributionMode.class)
                    .defaultValue(DistributionMode.AUTO)
                    .withDescription(
                            "AUTO: BUCKET where the table has a bucket key, else NONE; NONE: as the rows come; BUCKET: rows of one bucket go to one writer; PARTITION_DYNAMIC: for partitioned log tables.");

    public static final ConfigOption<Boolean> BUCKET_SHUFFLE =
            ConfigOptions.key("sink.bucket-shuffle")
                    .booleanType()
                    .defaultValue(true)
                    .withDescription(
                            "Older form of sink.distribution-mode: false means NONE. Ignored when that is set.");

    public static final ConfigOption<Boolean> IGNORE_DELETE =
            ConfigOptions.key("sink.ignore-delete")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription("Whether deletes and the old rows of updates are left out.");

    /** The options of this class. */
    public static List<ConfigOption<?>> all() {
        return List.of(DISTRIBUTION_MODE, BUCKET_SHUFFLE, IGNORE_DELETE);
    }

    private SinkOptions() {}
}

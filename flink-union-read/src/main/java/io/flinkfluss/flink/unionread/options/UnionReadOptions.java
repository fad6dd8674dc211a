package io.flinkfluss.flink.unionread.options;

import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;

/** Options of the union read. */
public final class UnionReadOptions {
    public static final ConfigOption<MemorySize> MERGE_MEMORY =
            ConfigOptions.key("union-read.merge-memory")
                    .memoryType()
                    .defaultValue(MemorySize.ofMebiBytes(64))
                    .withDescription(
                            "Memory per reader for the changes that are not in the lake yet, in a"
                                    + " batch read of a primary-key table; what does not fit is spilled"
                                    + " to Flink's temporary folders.");

    /** The options of this class. */
    public static List<ConfigOption<?>> all() {
        return List.of(MERGE_MEMORY);
    }

    private UnionReadOptions() {}
}

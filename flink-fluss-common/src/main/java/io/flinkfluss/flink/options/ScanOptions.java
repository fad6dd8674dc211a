package io.flinkfluss.flink.options;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Options of reading; the names are the anchor's. */
public final class ScanOptions {
    /** Where a read begins. */
    public enum StartupMode {
        FULL,
        EARLIEST,
        LATEST,
        TIMESTAMP
    }

    public static final ConfigOption<StartupMode> STARTUP_MODE =
            ConfigOptions.key("scan.startup.mode")
                    .enumType(StartupMode.class)
                    .defaultValue(StartupMode.FULL)
                    .withDescription(
                            "full: everything the table holds, then its changes; earliest: the log from its start; latest: only what comes after the start; timestamp: the log from scan.startup.timestamp on.");

    public static final ConfigOption<String> STARTUP_TIMESTAMP =
            ConfigOptions.key("scan.startup.timestamp")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "With scan.startup.mode=timestamp: milliseconds since 1970-01-01 UTC, or 'yyyy-MM-dd HH:mm:ss' in the session's time zone.");

    public static final ConfigOption<Duration> PARTITION_DISCOVERY_INTERVAL =
            ConfigOptions.key("scan.partition.discovery.interval")
                    .durationType()
                    .defaultValue(Duration.ofMinutes(1))
                    .withDescription(
                            "How often a streaming read of a partitioned table looks for new partitions; 0 turns it off.");

    /** The options of this class. */
    public static List<ConfigOption<?>> all() {
        return List.of(STARTUP_MODE, STARTUP_TIMESTAMP, PARTITION_DISCOVERY_INTERVAL);
    }

    private ScanOptions() {}
}

package io.flinkfluss.flink.tiering;

import io.flinkfluss.flink.options.ConnectionOptions;
import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.util.TimeUtils;

/**
 * What the job was started with.
 *
 * @param lakeSettings those given as arguments, in the form of {@link
 *     io.flinkfluss.lake.LakeFormats#open}; the storage service's own apply where none was given
 * @param pollInterval how often new and dropped tables are looked for
 */
record TieringOptions(
        ConnectionOptions connection, Map<String, String> lakeSettings, Duration pollInterval)
        implements Serializable {
    private static final String SERVICE = "fluss.";
    private static final String LAKE = "datalake.";
    private static final String POLL_INTERVAL = "tiering.poll.table.interval";

    /** Known to scripts written for other tiering services; there is nothing to set here. */
    private static final List<String> WITHOUT_EFFECT =
            List.of("lake.tiering.auto-expire-snapshot", "lake.tiering.io.tmp.dirs");

    TieringOptions {
        lakeSettings = new HashMap<>(lakeSettings);
    }

    static String usage() {
        return "arguments: --fluss.bootstrap.servers host:port [--fluss.client.<option> value]"
                + " [--datalake.format iceberg --datalake.iceberg.<setting> value …]"
                + " [--"
                + POLL_INTERVAL
                + " 5s]";
    }

    /**
     * Parses {@code --key value} and {@code --key=value}.
     *
     * @throws IllegalArgumentException naming the argument that is wrong
     */
    static TieringOptions parse(String... arguments) {
        Map<String, String> given = pairs(arguments);
        Configuration service = new Configuration();
        Map<String, String> lake = new TreeMap<>();
        Duration pollInterval = Duration.ofSeconds(5);
        for (Map.Entry<String, String> argument : given.entrySet()) {
            String key = argument.getKey();
            String value = argument.getValue();
            if (key.startsWith(SERVICE)) {
                service.setString(key.substring(SERVICE.length()), value);
            } else if (key.startsWith(LAKE)) {
                lake.put(key.substring(LAKE.length()), value);
            } else if (key.equals(POLL_INTERVAL)) {
                pollInterval = TimeUtils.parseDuration(value);
            } else if (!WITHOUT_EFFECT.contains(key)) {
                throw new IllegalArgumentException("unknown argument --" + key + "; " + usage());
            }
        }
        if (pollInterval.isZero() || pollInterval.isNegative()) {
            throw new IllegalArgumentException(
                    "--" + POLL_INTERVAL + " must be positive, not " + pollInterval);
        }
        return new TieringOptions(
                ConnectionOptions.of(service), withoutFormatPrefix(lake), pollInterval);
    }

    private static Map<String, String> pairs(String... arguments) {
        Map<String, String> pairs = new TreeMap<>();
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            if (!argument.startsWith("--")) {
                throw new IllegalArgumentException(
                        "'" + argument + "' is not an option; " + usage());
            }
            int equals = argument.indexOf('=');
            if (equals > 0) {
                pairs.put(argument.substring(2, equals), argument.substring(equals + 1));
            } else if (i + 1 < arguments.length) {
                pairs.put(argument.substring(2), arguments[++i]);
            } else {
                throw new IllegalArgumentException(argument + " has no value; " + usage());
            }
        }
        return pairs;
    }

    /** {@code iceberg.type} becomes {@code type} when the format is iceberg. */
    private static Map<String, String> withoutFormatPrefix(Map<String, String> lake) {
        String format = lake.get("format");
        Map<String, String> settings = new HashMap<>();
        for (Map.Entry<String, String> setting : lake.entrySet()) {
            String key = setting.getKey();
            if (key.equals("format")) {
                settings.put(key, setting.getValue());
            } else if (format != null && key.startsWith(format + ".")) {
                settings.put(key.substring(format.length() + 1), setting.getValue());
            } else {
                throw new IllegalArgumentException(
                        "--datalake."
                                + key
                                + " does not fit --datalake.format "
                                + format
                                + "; settings of a format begin with --datalake.<format>.");
            }
        }
        return settings;
    }

    /** The settings to open the lake with. */
    Map<String, String> lakeSettings(Map<String, String> ofService) {
        Map<String, String> settings = new HashMap<>(ofService);
        settings.putAll(lakeSettings);
        return settings;
    }
}

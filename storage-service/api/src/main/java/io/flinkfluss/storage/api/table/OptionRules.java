package io.flinkfluss.storage.api.table;

import io.flinkfluss.storage.api.error.ClosestName;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The part of {@link TableRules} about {@code table.*} options. */
final class OptionRules {
    private static final Map<String, TableOption> BY_KEY = new TreeMap<>();

    static {
        for (TableOption option : TableOption.values()) {
            BY_KEY.put(option.key(), option);
        }
    }

    private final TablePath path;
    private final TableDescriptor descriptor;
    private final TableRules.Service service;

    OptionRules(TablePath path, TableDescriptor descriptor, TableRules.Service service) {
        this.path = path;
        this.descriptor = descriptor;
        this.service = service;
    }

    void check() {
        descriptor
                .options()
                .forEach(
                        (key, value) -> {
                            TableOption option = BY_KEY.get(key);
                            if (option == null) {
                                throw unknown(key);
                            }
                            check(option, value);
                        });
        checkTogether();
    }

    private StorageException unknown(String key) {
        return new StorageException(
                ErrorCode.UNKNOWN_OPTION,
                "table "
                        + path
                        + " has the unknown option '"
                        + key
                        + "'; did you mean '"
                        + ClosestName.of(key, BY_KEY.keySet()).orElseThrow()
                        + "'? Known are "
                        + BY_KEY.keySet());
    }

    private void check(TableOption option, String value) {
        switch (option) {
            case REPLICATION_FACTOR -> number(option, value, service.nodes());
            case LOG_FORMAT -> choice(option, value, List.of("ARROW"), List.of("INDEXED"));
            case LOG_COMPRESSION ->
                    choice(option, value, List.of("NONE", "LZ4_FRAME", "ZSTD"), List.of());
            case LOG_ZSTD_LEVEL -> number(option, value, 22);
            case KV_FORMAT -> choice(option, value, List.of("COMPACTED"), List.of("INDEXED"));
            case LOG_TTL, LOG_LOCAL_TTL -> duration(option, value);
            case LOG_MAX_BYTES -> bytes(option, value);
            case LOG_LOCAL_SEGMENTS -> number(option, value, Integer.MAX_VALUE);
            case MERGE_ENGINE ->
                    choice(
                            option,
                            value,
                            List.of(""),
                            List.of("FIRST_ROW", "VERSIONED", "AGGREGATION"));
            case DELETE_BEHAVIOR ->
                    choice(option, value, List.of("ALLOW"), List.of("IGNORE", "DISABLE"));
            case CHANGELOG_IMAGE -> choice(option, value, List.of("FULL"), List.of("WAL"));
            case STATISTICS_COLUMNS -> columns(option, value);
            case DATALAKE_ENABLED, DATALAKE_AUTO_COMPACTION, DATALAKE_AUTO_EXPIRE ->
                    choice(option, value, List.of("TRUE", "FALSE"), List.of());
            case DATALAKE_FORMAT ->
                    choice(option, value, List.of("ICEBERG"), List.of("PAIMON", "LANCE"));
            case DATALAKE_FRESHNESS -> {
                if (duration(option, value).isZero()) {
                    throw invalid(option, value, "a duration longer than 0");
                }
            }
        }
    }

    private void checkTogether() {
        Duration ttl = duration(TableOption.LOG_TTL, descriptor.option(TableOption.LOG_TTL));
        boolean localGiven = descriptor.options().containsKey(TableOption.LOG_LOCAL_TTL.key());
        String local = descriptor.option(TableOption.LOG_LOCAL_TTL);
        if (localGiven
                && !ttl.isZero()
                && duration(TableOption.LOG_LOCAL_TTL, local).compareTo(ttl) > 0) {
            throw invalid(
                    TableOption.LOG_LOCAL_TTL,
                    local,
                    "at most "
                            + TableOption.LOG_TTL.key()
                            + ", which is "
                            + descriptor.option(TableOption.LOG_TTL));
        }
        if (descriptor.lakeEnabled()) {
            checkLake();
        }
    }

    private void checkLake() {
        String serviceFormat = service.lakeSettings().get("format");
        if (serviceFormat == null) {
            throw invalid(
                    TableOption.DATALAKE_ENABLED,
                    "true",
                    "false, because this storage service has no lake; start it with"
                            + " datalake.format and the settings of that format");
        }
        String format = descriptor.option(TableOption.DATALAKE_FORMAT);
        if (!serviceFormat.equalsIgnoreCase(format)) {
            throw invalid(
                    TableOption.DATALAKE_FORMAT,
                    format,
                    "'" + serviceFormat + "', the format of this storage service");
        }
    }

    private void choice(
            TableOption option, String value, List<String> allowed, List<String> unsupported) {
        String asked = value.toUpperCase(Locale.ROOT);
        if (unsupported.contains(asked)) {
            throw new StorageException(
                    ErrorCode.UNSUPPORTED,
                    "table "
                            + path
                            + " sets '"
                            + option.key()
                            + "' to '"
                            + value
                            + "', which this version cannot do; it knows "
                            + allowed);
        }
        if (!allowed.contains(asked)) {
            throw invalid(option, value, "one of " + allowed);
        }
    }

    private void number(TableOption option, String value, int highest) {
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= highest) {
                return;
            }
        } catch (NumberFormatException e) {
            // Refused below, like a number out of range.
        }
        throw invalid(
                option,
                value,
                highest == Integer.MAX_VALUE
                        ? "a whole number from 1"
                        : "a whole number from 1 to " + highest);
    }

    private void bytes(TableOption option, String value) {
        try {
            if (Long.parseLong(value) >= 0) {
                return;
            }
        } catch (NumberFormatException e) {
            // Refused below, like a negative number.
        }
        throw invalid(option, value, "a whole number of bytes, or 0 for no limit");
    }

    private Duration duration(TableOption option, String value) {
        try {
            return DurationText.parse(value);
        } catch (IllegalArgumentException e) {
            throw invalid(option, value, "a duration such as '3 min' or '7 d'");
        }
    }

    private void columns(TableOption option, String value) {
        if (value.equals("*")) {
            return;
        }
        List<String> known = descriptor.schema().columns().stream().map(Column::name).toList();
        for (String name : Arrays.asList(value.split(",", -1))) {
            if (!known.contains(name.strip())) {
                throw invalid(option, value, "* or a comma list of its columns " + known);
            }
        }
    }

    private StorageException invalid(TableOption option, String value, String allowed) {
        return new StorageException(
                ErrorCode.INVALID_OPTION,
                "table "
                        + path
                        + " sets '"
                        + option.key()
                        + "' to '"
                        + value
                        + "'; allowed is "
                        + allowed);
    }
}

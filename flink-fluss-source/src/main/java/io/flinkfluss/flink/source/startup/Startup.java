package io.flinkfluss.flink.source.startup;

import io.flinkfluss.flink.options.ScanOptions;
import io.flinkfluss.storage.api.record.OffsetSpec;
import java.io.Serializable;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;

/** Where a read begins. It is resolved to offsets once, at the first start, and checkpointed. */
public sealed interface Startup extends Serializable {
    /** The offset at which a log is read. */
    OffsetSpec logStart();

    /**
     * Everything the table holds: for a primary-key table its current rows, then the changes after
     * them; for a log table the log from its start.
     */
    record Full() implements Startup {
        @Override
        public OffsetSpec logStart() {
            return new OffsetSpec.Earliest();
        }
    }

    /** The log from the first offset that still exists. */
    record Earliest() implements Startup {
        @Override
        public OffsetSpec logStart() {
            return new OffsetSpec.Earliest();
        }
    }

    /** Only what is committed after the start. */
    record Latest() implements Startup {
        @Override
        public OffsetSpec logStart() {
            return new OffsetSpec.Latest();
        }
    }

    /** The log from the first row that was committed at or after this time. */
    record Timestamp(long millis) implements Startup {
        public Timestamp {
            if (millis < 0) {
                throw new ValidationException(
                        "'"
                                + ScanOptions.STARTUP_TIMESTAMP.key()
                                + "' must not be before 1970-01-01 UTC, but is "
                                + millis
                                + " ms");
            }
        }

        @Override
        public OffsetSpec logStart() {
            return new OffsetSpec.AtTime(millis);
        }
    }

    /**
     * Parses {@link ScanOptions}.
     *
     * @param zone the session's time zone, for times that are written as text
     * @throws ValidationException when the timestamp is missing, superfluous or not readable
     */
    static Startup of(ReadableConfig config, ZoneId zone) {
        Optional<String> time = config.getOptional(ScanOptions.STARTUP_TIMESTAMP);
        ScanOptions.StartupMode mode = config.get(ScanOptions.STARTUP_MODE);
        if (mode != ScanOptions.StartupMode.TIMESTAMP && time.isPresent()) {
            throw new ValidationException(
                    "'"
                            + ScanOptions.STARTUP_TIMESTAMP.key()
                            + "' is set, but 'scan.startup.mode' is "
                            + mode.name().toLowerCase(Locale.ROOT)
                            + "; set it to timestamp or leave the timestamp out");
        }
        return switch (mode) {
            case FULL -> new Full();
            case EARLIEST -> new Earliest();
            case LATEST -> new Latest();
            case TIMESTAMP ->
                    new Timestamp(
                            millis(
                                    time.orElseThrow(
                                            () ->
                                                    new ValidationException(
                                                            "'scan.startup.mode' is timestamp, so 'scan.startup.timestamp' must be set to milliseconds or 'yyyy-MM-dd HH:mm:ss'")),
                                    zone));
        };
    }

    private static long millis(String text, ZoneId zone) {
        String trimmed = text.trim();
        if (!trimmed.isEmpty() && trimmed.chars().allMatch(Character::isDigit)) {
            return Long.parseLong(trimmed);
        }
        try {
            return LocalDateTime.parse(trimmed, DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss"))
                    .atZone(zone)
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeParseException e) {
            throw new ValidationException(
                    "'scan.startup.timestamp' is '"
                            + text
                            + "'; allowed are milliseconds since 1970-01-01 UTC and 'yyyy-MM-dd HH:mm:ss'",
                    e);
        }
    }
}

package io.flinkfluss.storage.api.table;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as options write them: a whole number and a unit, as in Flink. */
final class DurationText {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\s*([a-zµ]*)");

    private DurationText() {}

    /**
     * Reads texts such as {@code 7 d}, {@code 3min}, {@code 500 ms}, {@code 0}.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw invalid(text);
        }
        long amount = Long.parseLong(matcher.group(1));
        ChronoUnit unit =
                switch (matcher.group(2)) {
                    case "d", "day", "days" -> ChronoUnit.DAYS;
                    case "h", "hour", "hours" -> ChronoUnit.HOURS;
                    case "m", "min", "minute", "minutes" -> ChronoUnit.MINUTES;
                    case "s", "sec", "secs", "second", "seconds" -> ChronoUnit.SECONDS;
                    case "", "ms", "milli", "millis", "millisecond", "milliseconds" ->
                            ChronoUnit.MILLIS;
                    case "µs", "micro", "micros", "microsecond", "microseconds" ->
                            ChronoUnit.MICROS;
                    case "ns", "nano", "nanos", "nanosecond", "nanoseconds" -> ChronoUnit.NANOS;
                    default -> throw invalid(text);
                };
        try {
            return Duration.of(amount, unit);
        } catch (ArithmeticException e) {
            throw invalid(text);
        }
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException(
                "'"
                        + text
                        + "' is not a duration; write a whole number and one of d, h, min, s, ms,"
                        + " for example '3 min'");
    }
}

package io.flinkfluss.cli.text;

import java.time.Duration;
import java.util.Locale;

/** Sizes and times as people read them. */
public final class Units {
    private static final String[] BYTES = {"B", "kB", "MB", "GB", "TB", "PB"};
    private static final double STEP = 1024;

    private Units() {}

    /** For example {@code 1.5 GB}; steps of 1024. */
    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= STEP && unit < BYTES.length - 1) {
            value /= STEP;
            unit++;
        }
        return String.format(
                Locale.ROOT, unit == 0 || value >= 10 ? "%.0f %s" : "%.1f %s", value, BYTES[unit]);
    }

    /** For example {@code 3 d 4 h}, {@code 12 s} or {@code 40 ms}. */
    public static String time(Duration duration) {
        if (duration.toDays() > 0) {
            return duration.toDays() + " d " + duration.toHoursPart() + " h";
        }
        if (duration.toHours() > 0) {
            return duration.toHours() + " h " + duration.toMinutesPart() + " min";
        }
        if (duration.toMinutes() > 0) {
            return duration.toMinutes() + " min " + duration.toSecondsPart() + " s";
        }
        return duration.toSeconds() > 0
                ? duration.toSeconds() + " s"
                : Math.max(0, duration.toMillis()) + " ms";
    }

    /** For example {@code 1,234,567}. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}

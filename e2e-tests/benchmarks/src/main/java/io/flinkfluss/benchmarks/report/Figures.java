package io.flinkfluss.benchmarks.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers for people. */
final class Figures {
    private static final MathContext SIGNIFICANT = new MathContext(3, RoundingMode.HALF_UP);

    private Figures() {}

    /** Three digits that count, grouped by thousands; "–" for what was not measured. */
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "–";
        }
        if (value == 0) {
            return "0";
        }
        BigDecimal rounded = BigDecimal.valueOf(value).round(SIGNIFICANT);
        int decimals = Math.max(0, rounded.stripTrailingZeros().scale());
        return String.format(Locale.ROOT, "%,." + decimals + "f", rounded);
    }

    /** The same of bytes, in megabytes. */
    static String megabytes(double bytes) {
        return number(bytes / 1e6);
    }
}

package io.flinkfluss.verify.report;

import io.flinkfluss.verify.check.Findings;
import io.flinkfluss.verify.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How it ended.
 *
 * @param acknowledged rows
 * @param faults that were done
 * @param failovers silences while a majority was there
 * @param leftOut kinds of faults that this machine could not do
 */
public record Result(
        long acknowledged,
        Findings findings,
        int faults,
        int kinds,
        Failovers failovers,
        List<String> leftOut,
        long seed,
        List<Fact> facts) {
    /** One more thing worth telling. */
    public record Fact(String name, long value) {}

    /** Whether every promise was kept and every check was made. */
    public boolean passed() {
        return findings.total() == 0;
    }

    /** The last line. */
    public String line() {
        List<String> parts = new ArrayList<>();
        parts.add("RESULT acknowledged=" + acknowledged);
        parts.add("lost=" + findings.count(Violation.LOST));
        parts.add("duplicated=" + findings.count(Violation.DUPLICATED));
        parts.add("reordered=" + findings.count(Violation.REORDERED));
        parts.add("stale=" + findings.count(Violation.STALE));
        parts.add("faults=" + faults);
        parts.add("other=" + other());
        parts.add("kinds=" + kinds);
        parts.add("failover_p50_ms=" + failovers.percentile(50));
        parts.add("failover_p99_ms=" + failovers.percentile(99));
        parts.add("failover_max_ms=" + failovers.percentile(100));
        facts.forEach(fact -> parts.add(fact.name() + "=" + fact.value()));
        parts.add("left_out=" + (leftOut.isEmpty() ? "none" : String.join(",", leftOut)));
        parts.add("seed=" + seed);
        return String.join(" ", parts);
    }

    /** The same as one JSON object. */
    public String json() {
        StringBuilder json = new StringBuilder("{");
        json.append("\"passed\":").append(passed());
        json.append(",\"acknowledged\":").append(acknowledged);
        for (Violation kind : Violation.values()) {
            json.append(",\"")
                    .append(kind.name().toLowerCase(Locale.ROOT))
                    .append("\":")
                    .append(findings.count(kind));
        }
        json.append(",\"faults\":").append(faults).append(",\"kinds\":").append(kinds);
        json.append(",\"failover_ms\":{\"p50\":")
                .append(failovers.percentile(50))
                .append(",\"p99\":")
                .append(failovers.percentile(99))
                .append(",\"max\":")
                .append(failovers.percentile(100))
                .append("}");
        facts.forEach(
                fact -> json.append(",\"").append(fact.name()).append("\":").append(fact.value()));
        json.append(",\"left_out\":").append(array(leftOut));
        json.append(",\"seed\":").append(seed);
        json.append(",\"findings\":").append(array(findings.examples()));
        return json.append("}").toString();
    }

    /** The same for a person. */
    public String table() {
        StringBuilder text = new StringBuilder();
        row(text, "acknowledged", acknowledged);
        row(text, "lost", findings.count(Violation.LOST));
        row(text, "duplicated", findings.count(Violation.DUPLICATED));
        row(text, "reordered", findings.count(Violation.REORDERED));
        row(text, "stale", findings.count(Violation.STALE));
        for (Violation kind : Violation.values()) {
            if (isOther(kind) && findings.count(kind) > 0) {
                row(text, kind.name().toLowerCase(Locale.ROOT), findings.count(kind));
            }
        }
        row(text, "faults", faults);
        facts.forEach(fact -> row(text, fact.name().replace('_', ' '), fact.value()));
        if (!failovers.sorted().isEmpty()) {
            row(text, "failover p50 ms", failovers.percentile(50));
            row(text, "failover p99 ms", failovers.percentile(99));
            row(text, "failover max ms", failovers.percentile(100));
        }
        return text.toString();
    }

    private long other() {
        long count = 0;
        for (Violation kind : Violation.values()) {
            count += isOther(kind) ? findings.count(kind) : 0;
        }
        return count;
    }

    private static boolean isOther(Violation kind) {
        return switch (kind) {
            case LOST, DUPLICATED, REORDERED, STALE -> false;
            case INVENTED, DIVERGED, GAP, CHANGELOG, STATE, UNEXPECTED, STALLED, UNCHECKED -> true;
        };
    }

    private static void row(StringBuilder text, String name, long value) {
        text.append(String.format("  %-28s %,14d%n", name, value));
    }

    private static String array(List<String> texts) {
        return "["
                + String.join(",", texts.stream().map(text -> "\"" + escape(text) + "\"").toList())
                + "]";
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        for (char letter : text.toCharArray()) {
            switch (letter) {
                case '"' -> escaped.append("\\\"");
                case '\\' -> escaped.append("\\\\");
                case '\n' -> escaped.append("\\n");
                case '\t' -> escaped.append("\\t");
                default ->
                        escaped.append(
                                letter < ' ' ? String.format("\\u%04x", (int) letter) : letter);
            }
        }
        return escaped.toString();
    }
}

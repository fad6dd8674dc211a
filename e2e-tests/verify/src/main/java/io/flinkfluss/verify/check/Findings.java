package io.flinkfluss.verify.check;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts violations and keeps the first few of each kind. Any thread may use it. */
public final class Findings {
    private static final int KEPT = 5;

    private final Map<Violation, Long> counts = new EnumMap<>(Violation.class);
    private final Map<Violation, List<String>> examples = new EnumMap<>(Violation.class);

    public synchronized void add(Violation kind, String what) {
        add(kind, 1, what);
    }

    /** Several of a kind at once; {@code what} tells of the first. */
    public synchronized void add(Violation kind, long count, String what) {
        counts.merge(kind, count, Long::sum);
        List<String> kept = examples.computeIfAbsent(kind, unused -> new ArrayList<>());
        if (kept.size() < KEPT) {
            kept.add(what);
        }
    }

    public synchronized long count(Violation kind) {
        return counts.getOrDefault(kind, 0L);
    }

    public synchronized long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The first of each kind, as {@code KIND: text}. */
    public synchronized List<String> examples() {
        List<String> lines = new ArrayList<>();
        examples.forEach((kind, texts) -> texts.forEach(text -> lines.add(kind + ": " + text)));
        return lines;
    }
}

package io.flinkfluss.verify.load;

import io.flinkfluss.verify.check.Row;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Compares key-value state with what it should be. */
final class StateComparison {
    private StateComparison() {}

    /** What differs, if anything does. */
    static Optional<String> compare(
            String what, Map<Integer, Long> found, Map<Integer, Long> expected) {
        if (found.equals(expected)) {
            return Optional.empty();
        }
        TreeSet<Integer> keys = new TreeSet<>(found.keySet());
        keys.addAll(expected.keySet());
        keys.removeIf(key -> found.getOrDefault(key, 0L).equals(expected.getOrDefault(key, 0L)));
        int first = keys.first();
        return Optional.of(
                what
                        + ": "
                        + keys.size()
                        + " keys differ from the fold of the changelog, the first is key "
                        + first
                        + ": found "
                        + Row.describeValue(found.getOrDefault(first, 0L))
                        + ", the changelog says "
                        + Row.describeValue(expected.getOrDefault(first, 0L)));
    }
}

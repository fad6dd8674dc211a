package io.flinkfluss.storage.api.error;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody who mistyped a name most likely meant. */
public final class ClosestName {
    private ClosestName() {}

    /** The known name that needs the fewest changes; empty when none is known. */
    public static Optional<String> of(String asked, Collection<String> known) {
        return known.stream()
                .min(
                        Comparator.<String>comparingInt(name -> distance(asked, name))
                                .thenComparing(Comparator.naturalOrder()));
    }

    /** Insertions, removals and replacements that turn one text into the other. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}

package io.flinkfluss.verify.report;

import java.util.List;

/**
 * Times without acknowledgement, in milliseconds.
 *
 * @param sorted ascending
 */
public record Failovers(List<Long> sorted) {
    public Failovers {
        sorted = sorted.stream().sorted().toList();
    }

    /** The smallest of them that so many percent do not exceed; 0 when there are none. */
    public long percentile(int percent) {
        if (sorted.isEmpty()) {
            return 0;
        }
        int rank = (int) Math.ceil(percent / 100.0 * sorted.size());
        return sorted.get(Math.max(1, rank) - 1);
    }
}

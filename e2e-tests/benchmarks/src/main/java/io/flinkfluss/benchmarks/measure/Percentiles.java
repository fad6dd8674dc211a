package io.flinkfluss.benchmarks.measure;

import java.util.Arrays;

/** Exact percentiles of times. */
public final class Percentiles {
    private static final double NANOS_PER_MILLISECOND = 1e6;

    private final long[] sorted;

    /**
     * @param nanos 1 or more times; copied
     */
    public Percentiles(long[] nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("there are no percentiles of no times");
        }
        sorted = nanos.clone();
        Arrays.sort(sorted);
    }

    /**
     * The smallest time, in milliseconds, that so many percent do not exceed.
     *
     * @param percent above 0 and at most 100
     */
    public double millis(double percent) {
        int rank = (int) Math.ceil(percent / 100 * sorted.length);
        return sorted[Math.max(1, rank) - 1] / NANOS_PER_MILLISECOND;
    }
}

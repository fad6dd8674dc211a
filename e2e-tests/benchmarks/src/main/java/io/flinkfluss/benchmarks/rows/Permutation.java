package io.flinkfluss.benchmarks.rows;

/** Visits the numbers from 0 to a size, exclusive, each once, in an order that looks random. */
public final class Permutation {
    private static final long NEAR_STEP = 611_953;

    private final long size;
    private final long step;
    private final long start;

    public Permutation(long size, long seed) {
        if (size < 1) {
            throw new IllegalArgumentException("a permutation has 1 number or more, not " + size);
        }
        this.size = size;
        start = Long.remainderUnsigned(Checksum.scramble(seed), size);
        long candidate = NEAR_STEP % size;
        while (greatestCommonDivisor(candidate, size) != 1) {
            candidate++;
        }
        step = candidate;
    }

    /** The number at a position, both from 0 to the size, exclusive. */
    public long at(long position) {
        return (start + position * step) % size;
    }

    private static long greatestCommonDivisor(long first, long second) {
        return second == 0 ? first : greatestCommonDivisor(second, first % second);
    }
}

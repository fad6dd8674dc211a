package io.flinkfluss.verify.fault;

import java.time.Duration;

/**
 * A fault that will happen.
 *
 * @param number from 1
 * @param at when, from the beginning of the load; later if the one before is not over
 * @param lasting how long it stays
 * @param draw chooses the target among those that fit, and details
 */
public record PlannedFault(int number, Duration at, FaultKind kind, Duration lasting, long draw) {
    /** A number from 0 to {@code bound}, exclusive, the same at every replay. */
    int choose(int bound, int purpose) {
        long mixed = (draw + purpose * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        return (int) Long.remainderUnsigned(mixed ^ mixed >>> 32, bound);
    }

    @Override
    public String toString() {
        return String.format(
                "%3d  at %5.1f s  for %4.1f s  %-17s %s",
                number,
                at.toMillis() / 1000.0,
                lasting.toMillis() / 1000.0,
                kind,
                kind.description());
    }
}

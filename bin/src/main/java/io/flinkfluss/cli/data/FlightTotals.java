package io.flinkfluss.cli.data;

import java.util.Map;
import java.util.TreeMap;

/** What the flights add up to, by month and by origin; the truth that query results are held to. */
public final class FlightTotals {
    private final Map<String, Long> byMonth = new TreeMap<>();
    private final Map<String, OriginTotals> byOrigin = new TreeMap<>();
    private long rows;
    private long delaySum;

    void add(String month, Flight flight) {
        rows++;
        delaySum += flight.delay();
        byMonth.merge(month, 1L, Long::sum);
        byOrigin.merge(
                flight.origin(),
                new OriginTotals(1, flight.delay(), flight.delay()),
                OriginTotals::plus);
    }

    void add(FlightTotals other) {
        rows += other.rows;
        delaySum += other.delaySum;
        other.byMonth.forEach((month, count) -> byMonth.merge(month, count, Long::sum));
        other.byOrigin.forEach(
                (origin, totals) -> byOrigin.merge(origin, totals, OriginTotals::plus));
    }

    public long rows() {
        return rows;
    }

    public long delaySum() {
        return delaySum;
    }

    /** Flights per month, as in {@code 2001-01}. */
    public Map<String, Long> byMonth() {
        return Map.copyOf(byMonth);
    }

    public Map<String, OriginTotals> byOrigin() {
        return Map.copyOf(byOrigin);
    }

    /** The flights of one airport. */
    public record OriginTotals(long flights, long delaySum, long worstDelay) {
        OriginTotals plus(OriginTotals other) {
            return new OriginTotals(
                    flights + other.flights,
                    delaySum + other.delaySum,
                    Math.max(worstDelay, other.worstDelay));
        }

        public double meanDelay() {
            return (double) delaySum / flights;
        }
    }
}

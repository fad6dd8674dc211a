package io.flinkfluss.benchmarks.report;

import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Measure.Better;
import io.flinkfluss.benchmarks.plan.Contender;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * How far this product wants to be ahead of a peer, or at most behind itself.
 *
 * @param better which side of the bound is wanted
 * @param bound of this product's figure divided by the other
 */
public record Target(Better better, double bound) {
    /** Of the cost of a row when there is 100 times as much, divided by the cost before. */
    public static final Target GROWTH = new Target(Better.LOWER, 1.3);

    private static final Map<Measure, Map<Contender, Double>> ALL = new EnumMap<>(Measure.class);

    static {
        all(Measure.APPEND, 1.5, 1.5, 1.5);
        all(Measure.SCAN, 2, 1.2, 1.2);
        all(Measure.SCAN_PROJECTED, 1.2, 1.2, 5);
        fluss(Measure.INSERT, 2, 2);
        fluss(Measure.UPDATE, 2.5, 2.5);
        fluss(Measure.LOOKUP_MANY, 2.5, 2.5);
        fluss(Measure.LOOKUP_ONE_P50, 1 / 50.0, 1 / 4.0);
        fluss(Measure.LATENCY_P50, 1 / 30.0, 1 / 2.0);
        fluss(Measure.LATENCY_P99, 1 / 30.0, 1 / 2.0);
        bound(Measure.LATENCY_P99, Contender.KAFKA_WITHOUT_LINGER, 1);
        fluss(Measure.SQL_INSERT, 1.5, 1.5);
        fluss(Measure.SQL_INSERT_LAKE, 2, 2);
        fluss(Measure.SQL_INSERT_KEYED, 2, 2);
        fluss(Measure.SQL_READ, 2, 1.2);
        fluss(Measure.SQL_READ_PROJECTED, 2, 1.5);
        fluss(Measure.SQL_LOOKUP_JOIN, 50, 1.5);
        fluss(Measure.SQL_TIERING, 2, 2);
        fluss(Measure.SQL_UNION, 1.5, 1.5);
        fluss(Measure.SQL_UNION_TAIL, 1.5, 1.5);
        fluss(Measure.SQL_UNION_HALF, 1.5, 1.5);
        bound(Measure.FIRST_WRITE, Contender.FLUSS, 1 / 2.0);
        bound(Measure.FIRST_WRITE, Contender.KAFKA, 1 / 2.0);
        bound(Measure.IDLE_MEMORY, Contender.FLUSS, 1);
        all(Measure.CLUSTER_APPEND, 1.5, 1.5, 2);
        bound(Measure.CLUSTER_WRITE_P50, Contender.FLUSS, 1 / 20.0);
        bound(Measure.CLUSTER_WRITE_P50, Contender.KAFKA, 1.5);
        all(Measure.CLUSTER_LATENCY_P50, 1 / 10.0, 1 / 2.0, 1);
        all(Measure.CLUSTER_SILENCE, 1 / 10.0, 1 / 10.0, 1 / 2.0);
    }

    /** What is wanted of a measure against a peer, if anything is. */
    public static Optional<Target> of(Measure measure, Contender peer) {
        return Optional.ofNullable(ALL.getOrDefault(measure, Map.of()).get(peer))
                .map(bound -> new Target(measure.better(), bound));
    }

    public boolean isMetBy(double ratio) {
        return switch (better) {
            case HIGHER -> ratio >= bound;
            case LOWER -> ratio <= bound;
        };
    }

    /** For example "≥ 1.5" or "≤ 1/30". */
    @Override
    public String toString() {
        return switch (better) {
            case HIGHER -> "≥ " + Figures.number(bound);
            case LOWER -> "≤ " + (bound < 1 ? "1/" + Math.round(1 / bound) : Figures.number(bound));
        };
    }

    private static void all(Measure measure, double fluss, double tuned, double kafka) {
        fluss(measure, fluss, tuned);
        bound(measure, Contender.KAFKA, kafka);
    }

    private static void fluss(Measure measure, double fluss, double tuned) {
        bound(measure, Contender.FLUSS, fluss);
        bound(measure, Contender.FLUSS_TUNED, tuned);
    }

    private static void bound(Measure measure, Contender peer, double bound) {
        ALL.computeIfAbsent(measure, key -> new EnumMap<>(Contender.class)).put(peer, bound);
    }
}

package io.flinkfluss.benchmarks.report;

import io.flinkfluss.benchmarks.measure.Curve;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.plan.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * A curve of this product, which is compared with itself.
 *
 * @param costs of a row at each of {@link Curve#SCALES}, in the measures' unit
 * @param rowsPerSecond at each of them
 * @param ratio cost at the largest scale divided by that at the smallest, of each round
 */
public record Growth(Curve curve, List<Spread> costs, List<Spread> rowsPerSecond, Spread ratio) {
    public Growth {
        costs = List.copyOf(costs);
        rowsPerSecond = List.copyOf(rowsPerSecond);
    }

    /** Those curves that were measured. */
    static List<Growth> all(Results results) {
        List<Growth> all = new ArrayList<>();
        for (Curve curve : Curve.values()) {
            of(curve, results).ifPresent(all::add);
        }
        return all;
    }

    /** A session that does not fail has all points of a curve, so all have the same rounds. */
    private static Optional<Growth> of(Curve curve, Results results) {
        List<Map<Integer, Sample>> points = new ArrayList<>();
        for (Measure measure : curve.measures()) {
            points.add(results.samples(measure, Contender.PRODUCT));
        }
        Map<Integer, Sample> first = points.get(0);
        Map<Integer, Sample> last = points.get(points.size() - 1);
        if (first.isEmpty()) {
            return Optional.empty();
        }
        List<Double> ratios = new ArrayList<>();
        last.forEach((round, sample) -> ratios.add(sample.value() / first.get(round).value()));
        return Optional.of(
                new Growth(
                        curve,
                        spreads(points, Sample::value),
                        spreads(points, sample -> sample.usage().rowsPerSecond()),
                        Spread.of(ratios)));
    }

    private static List<Spread> spreads(
            List<Map<Integer, Sample>> points, ToDoubleFunction<Sample> figure) {
        return points.stream()
                .map(each -> each.values().stream().map(figure::applyAsDouble).toList())
                .map(Spread::of)
                .toList();
    }

    /** Whether the median ratio meets the target, which is the same for all. */
    public boolean isMet() {
        return Target.GROWTH.isMetBy(ratio.median());
    }
}

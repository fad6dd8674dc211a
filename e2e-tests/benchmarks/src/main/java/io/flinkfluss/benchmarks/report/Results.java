package io.flinkfluss.benchmarks.report;

import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.plan.Contender;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All sessions of a benchmark. */
public record Results(List<Outcome> outcomes) {
    public Results {
        outcomes = List.copyOf(outcomes);
    }

    /** Sessions that gave no figures. */
    public List<Outcome> failures() {
        return outcomes.stream().filter(outcome -> outcome.failure().isPresent()).toList();
    }

    /** By round; without rounds in which the contender failed. */
    public Map<Integer, Sample> samples(Measure measure, Contender contender) {
        Map<Integer, Sample> samples = new TreeMap<>();
        for (Outcome outcome : outcomes) {
            if (outcome.session().contender() == contender && outcome.failure().isEmpty()) {
                outcome.samples().stream()
                        .filter(sample -> sample.measure() == measure)
                        .forEach(sample -> samples.put(outcome.session().round(), sample));
            }
        }
        return samples;
    }

    /** What a contender reached; empty when it has no figure. */
    public Optional<Spread> spread(Measure measure, Contender contender) {
        List<Double> values =
                samples(measure, contender).values().stream().map(Sample::value).toList();
        return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
    }

    /** This product beside each peer that has the measure in at least one common round. */
    public List<Comparison> comparisons(Measure measure) {
        List<Comparison> all = new ArrayList<>();
        Map<Integer, Sample> product = samples(measure, Contender.PRODUCT);
        for (Contender peer : Contender.values()) {
            List<Double> ratios = new ArrayList<>();
            if (peer != Contender.PRODUCT) {
                samples(measure, peer)
                        .forEach(
                                (round, sample) -> {
                                    if (product.containsKey(round)) {
                                        ratios.add(product.get(round).value() / sample.value());
                                    }
                                });
            }
            if (!ratios.isEmpty()) {
                all.add(
                        new Comparison(
                                measure,
                                peer,
                                spread(measure, Contender.PRODUCT).orElseThrow(),
                                spread(measure, peer).orElseThrow(),
                                Spread.of(ratios),
                                ratios.size(),
                                Target.of(measure, peer)));
            }
        }
        return all;
    }
}

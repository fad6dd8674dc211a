package io.flinkfluss.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.plan.Contender;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ResultsTest {
    @Test
    void ratiosAreOfOneRound() {
        Results results =
                new Results(
                        List.of(
                                Outcomes.append(1, Contender.PRODUCT, 200),
                                Outcomes.append(1, Contender.FLUSS, 100),
                                Outcomes.append(2, Contender.FLUSS, 400),
                                Outcomes.append(2, Contender.PRODUCT, 1_000),
                                Outcomes.append(3, Contender.PRODUCT, 90),
                                Outcomes.append(3, Contender.FLUSS, 30)));

        Comparison comparison = results.comparisons(Measure.APPEND).get(0);

        // The ratio of the medians would be 2.
        assertThat(comparison.ratio()).isEqualTo(new Spread(2.5, 2, 3));
        assertThat(comparison.product()).isEqualTo(new Spread(200, 90, 1_000));
        assertThat(comparison.other()).isEqualTo(new Spread(100, 30, 400));
        assertThat(comparison.rounds()).isEqualTo(3);
        assertThat(comparison.isMet()).contains(true);
    }

    @Test
    void aFailedRunIsNotCompared() {
        Results results =
                new Results(
                        List.of(
                                Outcomes.append(1, Contender.PRODUCT, 200),
                                Outcomes.failed(1, Contender.FLUSS, 1),
                                Outcomes.append(2, Contender.PRODUCT, 200),
                                Outcomes.append(2, Contender.FLUSS, 100)));

        assertThat(results.failures()).hasSize(1);
        assertThat(results.samples(Measure.APPEND, Contender.FLUSS)).containsOnlyKeys(2);
        assertThat(results.comparisons(Measure.APPEND).get(0).rounds()).isEqualTo(1);
    }

    @Test
    void withoutACommonRoundThereIsNoRatio() {
        Results results =
                new Results(
                        List.of(
                                Outcomes.append(1, Contender.PRODUCT, 200),
                                Outcomes.append(2, Contender.FLUSS, 100)));

        assertThat(results.comparisons(Measure.APPEND)).isEmpty();
        assertThat(results.spread(Measure.APPEND, Contender.PRODUCT))
                .contains(new Spread(200, 200, 200));
        assertThat(results.spread(Measure.SCAN, Contender.PRODUCT)).isEmpty();
    }
}

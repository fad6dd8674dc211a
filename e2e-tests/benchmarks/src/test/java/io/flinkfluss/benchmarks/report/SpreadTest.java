package io.flinkfluss.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SpreadTest {
    @Test
    void theMedianIsTheMiddleOrBetweenTheTwoInTheMiddle() {
        assertThat(Spread.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 9));
        assertThat(Spread.of(List.of(9.0, 1.0, 2.0, 4.0))).isEqualTo(new Spread(3, 1, 9));
        assertThat(Spread.of(List.of(5.0))).isEqualTo(new Spread(5, 5, 5));
    }

    @Test
    void nothingHasNoMedian() {
        assertThatThrownBy(() -> Spread.of(List.of())).hasMessageContaining("no values");
    }
}

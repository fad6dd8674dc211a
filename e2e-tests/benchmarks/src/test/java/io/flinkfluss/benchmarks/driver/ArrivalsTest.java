package io.flinkfluss.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.benchmarks.measure.Percentiles;
import org.junit.jupiter.api.Test;

final class ArrivalsTest {
    private static final long MILLISECOND = 1_000_000;

    private final Arrivals arrivals = new Arrivals(4);

    @Test
    void aTimeBeginsWhenTheRowWasDue() {
        // Due at 10, 20, 30 and 40 ms; the first row warms up.
        arrive(0, 500);
        arrive(2, 33);
        arrive(1, 21);
        arrive(3, 42);

        Percentiles times = arrivals.since(10 * MILLISECOND, 10 * MILLISECOND, 1, 4);

        assertThat(arrivals.count()).isEqualTo(4);
        assertThat(times.millis(1)).isEqualTo(1);
        assertThat(times.millis(50)).isEqualTo(2);
        assertThat(times.millis(100)).isEqualTo(3);
    }

    @Test
    void aRowThatComesTwiceIsWrong() {
        arrive(0, 1);
        arrive(1, 1);
        arrive(1, 2);
        arrive(2, 3);

        assertThatThrownBy(() -> arrivals.since(0, 1, 0, 4))
                .isInstanceOf(WrongAnswerException.class)
                .hasMessageContaining("row 1 a second time");
    }

    @Test
    void aRowThatNobodyWroteIsWrong() {
        arrive(7, 1);

        assertThatThrownBy(() -> arrivals.since(0, 1, 0, 1)).hasMessageContaining("row 7");
    }

    @Test
    void aMissingRowIsWrong() {
        arrive(0, 1);

        assertThatThrownBy(() -> arrivals.since(0, 1, 0, 1)).hasMessageContaining("is 1, not 4");
    }

    @Test
    void otherContentIsWrong() {
        for (int i = 0; i < 4; i++) {
            arrive(i, 1);
        }

        assertThatThrownBy(() -> arrivals.since(0, 1, 0, 5)).hasMessageContaining("checksum");
    }

    private void arrive(long orderId, long millis) {
        arrivals.add(orderId, 1, millis * MILLISECOND);
    }
}

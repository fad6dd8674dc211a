package io.flinkfluss.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class PercentilesTest {
    @Test
    void theyAreValuesThatOccurred() {
        Percentiles times =
                new Percentiles(
                        LongStream.rangeClosed(1, 200).map(i -> (201 - i) * 1_000_000).toArray());

        assertThat(times.millis(50)).isEqualTo(100);
        assertThat(times.millis(99)).isEqualTo(198);
        assertThat(times.millis(100)).isEqualTo(200);
        assertThat(times.millis(0.1)).isEqualTo(1);
    }

    @Test
    void oneTimeIsAllPercentiles() {
        Percentiles times = new Percentiles(new long[] {1_500_000});

        assertThat(times.millis(50)).isEqualTo(1.5);
        assertThat(times.millis(99)).isEqualTo(1.5);
    }

    @Test
    void noTimesHaveNone() {
        assertThatThrownBy(() -> new Percentiles(new long[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

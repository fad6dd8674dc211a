package io.flinkfluss.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FiguresTest {
    @Test
    void threeDigitsCount() {
        assertThat(Figures.number(1_234_567)).isEqualTo("1,230,000");
        assertThat(Figures.number(765.4)).isEqualTo("765");
        assertThat(Figures.number(12.34)).isEqualTo("12.3");
        assertThat(Figures.number(1.234)).isEqualTo("1.23");
        assertThat(Figures.number(0.01234)).isEqualTo("0.0123");
        assertThat(Figures.number(2)).isEqualTo("2");
        assertThat(Figures.number(100)).isEqualTo("100");
        assertThat(Figures.number(0)).isEqualTo("0");
        assertThat(Figures.number(-12.34)).isEqualTo("-12.3");
    }

    @Test
    void whatWasNotMeasuredIsADash() {
        assertThat(Figures.number(Double.NaN)).isEqualTo("–");
        assertThat(Figures.megabytes(Double.NaN)).isEqualTo("–");
    }
}

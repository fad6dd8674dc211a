package io.flinkfluss.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class UsageTest {
    private final Usage first = new Usage(100, 1, 2, 3, 0.5, 10, 20, 30, 40);
    private final Usage later = new Usage(300, 3, 1, 2, 0.1, 1, 2, 3, 4);

    @Test
    void aRowCostsTheTimeOfDriverAndServers() {
        assertThat(first.cpuMicrosPerRow()).isEqualTo(50_000);
    }

    @Test
    void twoPiecesOfWorkAddUp() {
        Usage both = first.plus(later);

        assertThat(both).isEqualTo(new Usage(400, 4, 3, 5, both.otherCpus(), 11, 22, 3, 4));
        assertThat(both.otherCpus()).isEqualTo(0.2, within(1e-9));
        assertThat(both.rowsPerSecond()).isEqualTo(100);
    }
}

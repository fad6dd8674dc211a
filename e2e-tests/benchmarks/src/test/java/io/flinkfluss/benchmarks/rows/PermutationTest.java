package io.flinkfluss.benchmarks.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PermutationTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 50_000, 611_953, 1_000_000})
    void everyNumberComesOnce(int size) {
        Permutation permutation = new Permutation(size, 5);
        BitSet seen = new BitSet(size);

        for (int i = 0; i < size; i++) {
            seen.set((int) permutation.at(i));
        }

        assertThat(seen.cardinality()).isEqualTo(size);
        assertThat(seen.length()).isEqualTo(size);
    }

    @Test
    void neighboursAreFarApart() {
        Permutation permutation = new Permutation(1_000_000, 5);

        assertThat(Math.abs(permutation.at(1) - permutation.at(0))).isGreaterThan(1_000);
    }

    @Test
    void nothingCannotBeVisited() {
        assertThatThrownBy(() -> new Permutation(0, 1)).hasMessageContaining("not 0");
    }
}

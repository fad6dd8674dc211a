package io.flinkfluss.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class CurveTest {
    @Test
    void aCurveHasAMeasureOfItsOwnForEachScale() {
        assertThat(Curve.values())
                .allSatisfy(
                        curve ->
                                assertThat(curve.measures().stream().map(Measure::title))
                                        .containsExactlyElementsOf(
                                                Curve.SCALES.stream()
                                                        .map(scale -> title(curve, scale))
                                                        .toList()));
        assertThat(Arrays.stream(Curve.values()).flatMap(curve -> curve.measures().stream()))
                .doesNotHaveDuplicates();
    }

    private static String title(Curve curve, int scale) {
        return "%s, %d × %s"
                .formatted(curve.way(), scale, curve.growing())
                .toLowerCase(Locale.ROOT);
    }
}

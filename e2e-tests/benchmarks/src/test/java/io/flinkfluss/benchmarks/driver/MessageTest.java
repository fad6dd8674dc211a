package io.flinkfluss.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.measure.Usage;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MessageTest {
    @Test
    void anyTextTravelsInOneLine() {
        Message message =
                Message.of("failed")
                        .with("reason", "a = b,\nü % & +")
                        .with("count", 7)
                        .withAll("pids", List.of(1, 2))
                        .withAll("none", List.of());

        Message read = Message.parse(message.line());

        assertThat(message.line()).doesNotContain("\n");
        assertThat(read).isEqualTo(message);
        assertThat(read.text("reason")).isEqualTo("a = b,\nü % & +");
        assertThat(read.number("count")).isEqualTo(7);
        assertThat(read.list("pids")).containsExactly("1", "2");
        assertThat(read.list("none")).isEmpty();
    }

    @Test
    void aMissingFieldIsNamedWithThoseThatAreThere() {
        assertThatThrownBy(() -> Message.of("log").with("rows", 1).number("buckets"))
                .hasMessageContaining("buckets")
                .hasMessageContaining("rows");
        assertThatThrownBy(() -> Message.parse("log rows")).hasMessageContaining("'rows'");
    }

    @Test
    void aSampleIsTheSameAfterwards() {
        Sample sample =
                new Sample(
                        Measure.SCAN,
                        1234.5,
                        new Usage(10, 0.25, 1, 2, Double.NaN, 3, 4, 5, Double.NaN));

        assertThat(SampleForm.sample(Message.parse(SampleForm.message(sample).line())))
                .isEqualTo(sample);
    }
}

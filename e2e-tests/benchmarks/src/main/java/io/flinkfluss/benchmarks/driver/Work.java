package io.flinkfluss.benchmarks.driver;

import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.rows.OrderGenerator;
import java.util.function.Consumer;

/**
 * What a workload needs besides its sizes.
 *
 * @param samples takes figures
 */
record Work(
        SystemClient client,
        OrderGenerator rows,
        Meter.Surroundings surroundings,
        Consumer<Sample> samples) {
    Meter begin() {
        return Meter.start(surroundings);
    }

    /** Rows per second are the figure. */
    void rate(Measure measure, Usage usage) {
        samples.accept(new Sample(measure, usage.rowsPerSecond(), usage));
    }

    void figure(Measure measure, double value, Usage usage) {
        samples.accept(new Sample(measure, value, usage));
    }

    /** The same with the figure of one measure alone, as that of another. */
    Work only(Measure measure, Measure other) {
        return new Work(
                client,
                rows,
                surroundings,
                sample -> {
                    if (sample.measure() == measure) {
                        samples.accept(new Sample(other, sample.value(), sample.usage()));
                    }
                });
    }

    /** The same without figures, for warming up. */
    Work silent() {
        return new Work(client, rows, surroundings, sample -> {});
    }
}

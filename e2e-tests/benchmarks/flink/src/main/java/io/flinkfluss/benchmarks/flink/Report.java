package io.flinkfluss.benchmarks.flink;

import io.flinkfluss.benchmarks.driver.Message;
import io.flinkfluss.benchmarks.driver.SampleForm;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Meter;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.measure.Usage;
import java.util.function.Consumer;

/**
 * Where a workload's figures go, and whom it keeps busy.
 *
 * @param answers takes figures; nothing when it warms up
 */
record Report(Meter.Surroundings surroundings, Consumer<Message> answers) {
    /** Rows per second are the figure. */
    void rate(Measure measure, Usage usage) {
        answers.accept(SampleForm.message(new Sample(measure, usage.rowsPerSecond(), usage)));
    }

    Report silent() {
        return new Report(surroundings, answer -> {});
    }
}

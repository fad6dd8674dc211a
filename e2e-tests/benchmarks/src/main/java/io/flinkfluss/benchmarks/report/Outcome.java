package io.flinkfluss.benchmarks.report;

import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.plan.Session;
import java.util.List;
import java.util.Optional;

/**
 * How a session ended.
 *
 * @param failure why it gave no figures, or not all; its samples are not compared then
 */
public record Outcome(Session session, List<Sample> samples, Optional<String> failure) {
    public Outcome {
        samples = List.copyOf(samples);
    }
}

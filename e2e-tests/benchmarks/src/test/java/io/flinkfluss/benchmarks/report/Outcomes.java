package io.flinkfluss.benchmarks.report;

import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.plan.Contender;
import io.flinkfluss.benchmarks.plan.Session;
import io.flinkfluss.benchmarks.plan.Stage;
import java.util.List;
import java.util.Optional;

/** Sessions as tests need them. */
final class Outcomes {
    private Outcomes() {}

    static Outcome append(int round, Contender contender, double rowsPerSecond) {
        return new Outcome(
                new Session(round, Stage.LOG, contender),
                List.of(sample(rowsPerSecond)),
                Optional.empty());
    }

    /** With a figure from before it failed. */
    static Outcome failed(int round, Contender contender, double rowsPerSecond) {
        return new Outcome(
                new Session(round, Stage.LOG, contender),
                List.of(sample(rowsPerSecond)),
                Optional.of("wrong answer: the checksum is 1, not 2"));
    }

    private static Sample sample(double rowsPerSecond) {
        return new Sample(
                Measure.APPEND,
                rowsPerSecond,
                new Usage(1_000_000, 2, 3, 4, 0.25, 50e6, 60e6, 70e6, Double.NaN));
    }
}

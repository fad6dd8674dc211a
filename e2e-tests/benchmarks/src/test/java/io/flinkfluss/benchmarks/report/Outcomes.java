package io.flinkfluss.benchmarks.report;

import io.flinkfluss.benchmarks.measure.Curve;
import io.flinkfluss.benchmarks.measure.Measure;
import io.flinkfluss.benchmarks.measure.Sample;
import io.flinkfluss.benchmarks.measure.Usage;
import io.flinkfluss.benchmarks.plan.Contender;
import io.flinkfluss.benchmarks.plan.Session;
import io.flinkfluss.benchmarks.plan.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sessions as tests need them. */
final class Outcomes {
    private static final Usage USAGE =
            new Usage(1_000_000, 2, 3, 4, 0.25, 50e6, 60e6, 70e6, Double.NaN);

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

    /** With the costs of one curve, in microseconds of a row. */
    static Outcome growth(int round, Curve curve, double... costs) {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < costs.length; i++) {
            samples.add(new Sample(curve.measures().get(i), costs[i], USAGE));
        }
        return new Outcome(
                new Session(round, Stage.GROWTH, Contender.PRODUCT), samples, Optional.empty());
    }

    private static Sample sample(double rowsPerSecond) {
        return new Sample(Measure.APPEND, rowsPerSecond, USAGE);
    }
}

package io.flinkfluss.benchmarks.plan;

import io.flinkfluss.benchmarks.measure.Curve;
import io.flinkfluss.benchmarks.measure.Measure;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What can be asked for. */
public enum Workload {
    W1(Stage.LOG, Measure.APPEND),
    W2(Stage.LOG, Measure.SCAN),
    W2P(Stage.LOG, Measure.SCAN_PROJECTED),
    W2F(Stage.LOG, Measure.SCAN_FILTERED),
    W3(Stage.KEYS, Measure.INSERT, Measure.UPDATE),
    W4(Stage.KEYS, Measure.LOOKUP_MANY, Measure.LOOKUP_ONE_P50, Measure.LOOKUP_ONE_P99),
    W4P(Stage.KEYS, Measure.LOOKUP_PREFIX),
    W5(
            Stage.LATENCY,
            Measure.LATENCY_P50,
            Measure.LATENCY_P99,
            Measure.FAST_LATENCY_P50,
            Measure.FAST_LATENCY_P99),
    W6(
            Stage.SQL,
            Measure.SQL_INSERT,
            Measure.SQL_READ,
            Measure.SQL_READ_PROJECTED,
            Measure.SQL_INSERT_KEYED,
            Measure.SQL_LOOKUP_JOIN,
            Measure.SQL_INSERT_LAKE,
            Measure.SQL_TIERING,
            Measure.SQL_UNION_NONE,
            Measure.SQL_UNION,
            Measure.SQL_UNION_TAIL,
            Measure.SQL_UNION_HALF,
            Measure.SQL_UNION_KEYED),
    W7(Stage.START, Measure.FIRST_WRITE, Measure.IDLE_MEMORY),
    W8(
            Stage.CLUSTER,
            Measure.CLUSTER_APPEND,
            Measure.CLUSTER_WRITE_P50,
            Measure.CLUSTER_LATENCY_P50,
            Measure.CLUSTER_LATENCY_P99,
            Measure.CLUSTER_SILENCE),
    W9(
            Stage.GROWTH,
            Arrays.stream(Curve.values())
                    .flatMap(curve -> curve.measures().stream())
                    .toArray(Measure[]::new));

    private final Stage stage;
    private final List<Measure> measures;

    Workload(Stage stage, Measure... measures) {
        this.stage = stage;
        this.measures = List.of(measures);
    }

    public Stage stage() {
        return stage;
    }

    public List<Measure> measures() {
        return measures;
    }

    /** The stages in which these workloads are, in the order in which they run. */
    public static Set<Stage> stages(Set<Workload> workloads) {
        Set<Stage> stages = EnumSet.noneOf(Stage.class);
        workloads.forEach(workload -> stages.add(workload.stage));
        return stages;
    }
}

package io.flinkfluss.flink.tiering;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the job, under the source's enumerator: {@code rowsTiered}, {@code roundsCommitted},
 * {@code roundsFailed}, and for each table {@code tierLagRows} and {@code tieredUpToMillis}.
 */
final class TieringMetrics {
    private final MetricGroup group;
    private final Counter rows;
    private final Counter committed;
    private final Counter failed;

    TieringMetrics(MetricGroup parent) {
        group = parent.addGroup("tiering");
        rows = group.counter("rowsTiered");
        committed = group.counter("roundsCommitted");
        failed = group.counter("roundsFailed");
    }

    void watch(TableTiering tiering) {
        MetricGroup table = group.addGroup("table", tiering.table().path().toString());
        table.gauge("tierLagRows", tiering::rowsBehind);
        table.gauge("tieredUpToMillis", tiering::tieredUpTo);
    }

    void committed(long rowsOfRound) {
        committed.inc();
        rows.inc(rowsOfRound);
    }

    void failed() {
        failed.inc();
    }
}

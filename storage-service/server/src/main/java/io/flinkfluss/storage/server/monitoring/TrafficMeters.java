package io.flinkfluss.storage.server.monitoring;

import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TablePath;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Counts rows, bytes and requests of the node and of each table. Only so many tables have series of
 * their own, further ones share one; series of dropped tables go. Any thread.
 */
final class TrafficMeters {
    /** Label values of the tables that have no series of their own. */
    static final String OTHER = "(other)";

    private final Function<TableId, Optional<TablePath>> paths;
    private final int mostTables;
    private final Map<ServerMetric, Counter> counters = new EnumMap<>(ServerMetric.class);
    private final Map<TableId, TableMeter> tables = new ConcurrentHashMap<>();
    private final Counter rowsIn;
    private final Counter bytesIn;
    private final Counter rowsOut;
    private final Counter bytesOut;
    private final TableMeter others;

    /**
     * @param paths name of a table that exists
     * @param mostTables with series of their own
     */
    TrafficMeters(
            ServerMetrics metrics, Function<TableId, Optional<TablePath>> paths, int mostTables) {
        this.paths = paths;
        this.mostTables = mostTables;
        rowsIn = metrics.counter(ServerMetric.MESSAGES_IN);
        bytesIn = metrics.counter(ServerMetric.BYTES_IN);
        rowsOut = metrics.counter(ServerMetric.MESSAGES_OUT);
        bytesOut = metrics.counter(ServerMetric.BYTES_OUT);
        for (ServerMetric metric : ServerMetric.values()) {
            if (metric.type() == ServerMetric.Type.COUNTER && metric.name().startsWith("TABLE_")) {
                counters.put(metric, metrics.counter(metric));
            }
        }
        others = new TableMeter(new TablePath(OTHER, OTHER));
        metrics.beforeScrape(this::forgetDropped);
    }

    /** The counters of a table, also of one that does not exist. */
    TableMeter of(TableId table) {
        TableMeter known = tables.get(table);
        if (known != null) {
            return known;
        }
        Optional<TablePath> path = paths.apply(table);
        if (path.isEmpty() || tables.size() >= mostTables) {
            return others;
        }
        return tables.computeIfAbsent(table, id -> new TableMeter(path.get()));
    }

    private void forgetDropped() {
        Set<TablePath> removed = new HashSet<>();
        tables.forEach(
                (id, meter) -> {
                    if (paths.apply(id).isEmpty()) {
                        tables.remove(id);
                        removed.add(meter.path);
                    }
                });
        // A new table of the same name had the same series, which begin anew.
        tables.values().removeIf(meter -> removed.contains(meter.path));
        for (TablePath path : removed) {
            counters.values().forEach(counter -> counter.remove(path.database(), path.table()));
        }
    }

    /** Counters of one table, which count for the node too. */
    final class TableMeter {
        private final TablePath path;
        private final Map<ServerMetric, CounterDataPoint> points =
                new EnumMap<>(ServerMetric.class);

        private TableMeter(TablePath path) {
            this.path = path;
            counters.forEach(
                    (metric, counter) ->
                            points.put(metric, counter.labelValues(path.database(), path.table())));
        }

        void count(ServerMetric metric, long by) {
            points.get(metric).inc(by);
        }

        void in(long rows, long bytes) {
            rowsIn.inc(rows);
            bytesIn.inc(bytes);
            count(ServerMetric.TABLE_MESSAGES_IN, rows);
            count(ServerMetric.TABLE_BYTES_IN, bytes);
        }

        void out(long rows, long bytes) {
            rowsOut.inc(rows);
            bytesOut.inc(bytes);
            count(ServerMetric.TABLE_MESSAGES_OUT, rows);
            count(ServerMetric.TABLE_BYTES_OUT, bytes);
        }
    }
}

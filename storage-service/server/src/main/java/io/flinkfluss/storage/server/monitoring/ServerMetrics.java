package io.flinkfluss.storage.server.monitoring;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The values of all {@link ServerMetric}s of one node, and the standard metrics of the JVM and the
 * process. Registering happens at the start; everything else may be called by any thread.
 */
public final class ServerMetrics {
    /** From half a millisecond to the default request timeout. */
    private static final double[] MILLIS = {
        0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000
    };

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
    private final Set<ServerMetric> registered = EnumSet.noneOf(ServerMetric.class);
    private final List<Runnable> beforeScrape = new CopyOnWriteArrayList<>();

    public ServerMetrics() {
        JvmMetrics.builder().register(registry);
    }

    /** The content type of {@link #write}. */
    String contentType() {
        return writer.getContentType();
    }

    /** Writes all values in Prometheus' text format. */
    void write(OutputStream output) throws IOException {
        beforeScrape.forEach(Runnable::run);
        writer.write(output, registry.scrape(), EscapingScheme.DEFAULT);
    }

    /** Runs before each reading of the values; must be short. */
    void beforeScrape(Runnable preparation) {
        beforeScrape.add(preparation);
    }

    /** The metrics that nobody gives values for; none once a node runs. */
    Set<ServerMetric> unregistered() {
        return EnumSet.complementOf(EnumSet.copyOf(registered));
    }

    Counter counter(ServerMetric metric) {
        remember(metric, ServerMetric.Type.COUNTER);
        return Counter.builder()
                .name(metric.metricName())
                .help(metric.description())
                .labelNames(metric.labels().toArray(String[]::new))
                .withoutExemplars()
                .register(registry);
    }

    /** A counter whose values are asked for when they are read. */
    void counter(ServerMetric metric, Consumer<Values> source) {
        remember(metric, ServerMetric.Type.COUNTER);
        CounterWithCallback unused =
                CounterWithCallback.builder()
                        .name(metric.metricName())
                        .help(metric.description())
                        .labelNames(metric.labels().toArray(String[]::new))
                        .callback(callback -> source.accept(callback::call))
                        .register(registry);
    }

    /** A gauge whose values are asked for when they are read. */
    void gauge(ServerMetric metric, Consumer<Values> source) {
        remember(metric, ServerMetric.Type.GAUGE);
        GaugeWithCallback unused =
                GaugeWithCallback.builder()
                        .name(metric.metricName())
                        .help(metric.description())
                        .labelNames(metric.labels().toArray(String[]::new))
                        .callback(callback -> source.accept(callback::call))
                        .register(registry);
    }

    Histogram histogram(ServerMetric metric) {
        remember(metric, ServerMetric.Type.HISTOGRAM);
        return Histogram.builder()
                .name(metric.metricName())
                .help(metric.description())
                .labelNames(metric.labels().toArray(String[]::new))
                .classicOnly()
                .classicUpperBounds(MILLIS)
                .withoutExemplars()
                .register(registry);
    }

    private void remember(ServerMetric metric, ServerMetric.Type type) {
        if (metric.type() != type || !registered.add(metric)) {
            throw new IllegalStateException(
                    metric + " is a " + metric.type() + ", registered once");
        }
    }

    /** Takes the values of a metric, one per combination of label values. */
    @FunctionalInterface
    interface Values {
        void set(double value, String... labelValues);
    }
}

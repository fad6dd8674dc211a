package io.flinkfluss.storage.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** docs/metrics.md is what the code says; {@code -Dwrite.docs=true} writes it anew. */
final class MetricsDocTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "metrics.md");

    @Test
    void everyMetricIsDescribedAndNamedOnce() {
        assertThat(ServerMetric.values())
                .allSatisfy(
                        metric -> {
                            assertThat(metric.description()).as(metric.name()).endsWith(".");
                            assertThat(metric.unit()).as(metric.name()).isNotBlank();
                        });
        assertThat(ServerMetric.values())
                .extracting(ServerMetric::shownName)
                .doesNotHaveDuplicates();
    }

    @Test
    void noMetricHasALabelPerBucket() {
        assertThat(ServerMetric.values())
                .flatExtracting(ServerMetric::labels)
                .isSubsetOf("request", "code", "pool", "group", "quantile", "database", "table");
    }

    @Test
    void thePageIsWhatTheCodeSays() throws IOException {
        if (Boolean.getBoolean("write.docs")) {
            Files.writeString(PAGE, page());
        }
        assertThat(PAGE)
                .as("run this test with -Dwrite.docs=true to write the page anew")
                .hasContent(page());
    }

    private static String page() {
        StringBuilder text = new StringBuilder();
        text.append("# Metrics\n\nGenerated from the code by `MetricsDocTest`; do not edit.\n\n");
        text.append(
                "Every node of the storage service serves Prometheus' text format at `/metrics` on its monitoring port (`metrics.port`; 9249 beside port 9123).\n");
        text.append(
                "Names are those of Apache Fluss where the meaning is the same. What is a rate there (`bytesInPerSecond`) is a counter here (`bytesIn_total`),\n");
        text.append(
                "from which `rate()` makes the rate. Nothing has a label per bucket, so the size of the answer does not grow with buckets; tables beyond\n");
        text.append(
                "`metrics.tables-max` are added up as `(other)`. What a dashboard and an alert should look at: [monitoring](howto/monitor-a-cluster.md).\n\n");
        text.append("| metric | type | unit | labels | meaning |\n|---|---|---|---|---|\n");
        for (ServerMetric metric : ServerMetric.values()) {
            text.append("| `")
                    .append(metric.shownName())
                    .append("` | ")
                    .append(metric.type().name().toLowerCase(java.util.Locale.ROOT))
                    .append(" | ")
                    .append(metric.unit())
                    .append(" | ")
                    .append(String.join(", ", metric.labels()))
                    .append(" | ")
                    .append(metric.description())
                    .append(" |\n");
        }
        text.append(
                "\nBesides these, the standard metrics of a Java process: `jvm_*` (memory, garbage collection, threads, buffer pools) and `process_*` (CPU,\n");
        text.append("resident memory, open files).\n");
        return text.toString();
    }
}

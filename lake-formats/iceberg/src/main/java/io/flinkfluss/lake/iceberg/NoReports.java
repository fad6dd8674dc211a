package io.flinkfluss.lake.iceberg;

import org.apache.iceberg.metrics.MetricsReport;
import org.apache.iceberg.metrics.MetricsReporter;

/**
 * Drops Iceberg's reports, which would otherwise be logged as a page of text for every scan and
 * every commit. Iceberg makes it by reflection.
 */
public final class NoReports implements MetricsReporter {
    @Override
    public void report(MetricsReport report) {}
}

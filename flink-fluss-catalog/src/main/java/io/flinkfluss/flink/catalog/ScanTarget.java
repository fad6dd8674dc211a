package io.flinkfluss.flink.catalog;

import io.flinkfluss.flink.catalog.table.VirtualTable;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.Map;
import java.util.Optional;

/**
 * What is read.
 *
 * @param view empty for the table itself
 * @param lake settings of the lake, empty for a table without one
 */
record ScanTarget(
        TableInfo table,
        Optional<VirtualTable> view,
        ConnectionOptions connection,
        Map<String, String> lake) {
    /** Whether a key has several rows, each saying what happened to it. */
    boolean isChangelog() {
        return table.hasPrimaryKey() && view.isEmpty();
    }

    String name() {
        return table.path() + view.map(VirtualTable::suffix).orElse("");
    }
}

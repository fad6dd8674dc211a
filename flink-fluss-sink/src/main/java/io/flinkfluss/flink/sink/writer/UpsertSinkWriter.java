package io.flinkfluss.flink.sink.writer;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.row.RowDataView;
import io.flinkfluss.storage.api.table.TableInfo;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.flink.table.data.RowData;

/** Writes to a primary-key table. The old rows of updates are left out: the table knows them. */
public final class UpsertSinkWriter extends TableSinkWriter {
    private final boolean ignoreDelete;

    /**
     * @param ignoreDelete whether deletes are left out
     */
    public UpsertSinkWriter(
            TableInfo table,
            Connection connection,
            RowWriters writers,
            SinkWriterMetricGroup metrics,
            boolean ignoreDelete) {
        super(table, connection, writers, metrics);
        this.ignoreDelete = ignoreDelete;
    }

    @Override
    boolean write(RowData row, RowDataView sameRow) throws InterruptedException {
        switch (row.getRowKind()) {
            case INSERT, UPDATE_AFTER -> writer.upsert(sameRow);
            case UPDATE_BEFORE -> {
                return false;
            }
            case DELETE -> {
                if (ignoreDelete) {
                    return false;
                }
                writer.delete(sameRow);
            }
        }
        return true;
    }
}

package io.flinkfluss.flink.sink.writer;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.row.RowDataView;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.TableInfo;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;

/** Writes to a log table, which only takes inserts. */
public final class AppendSinkWriter extends TableSinkWriter {
    private final TableInfo table;
    private final boolean ignoreDelete;

    /**
     * @param ignoreDelete whether deletes and old rows of updates are left out, and new rows of
     *     updates appended; otherwise they fail the job
     */
    public AppendSinkWriter(
            TableInfo table,
            Connection connection,
            RowWriters writers,
            SinkWriterMetricGroup metrics,
            boolean ignoreDelete) {
        super(table, connection, writers, metrics);
        this.table = table;
        this.ignoreDelete = ignoreDelete;
    }

    @Override
    boolean write(RowData row, RowDataView sameRow) throws InterruptedException {
        RowKind kind = row.getRowKind();
        if (kind != RowKind.INSERT && !ignoreDelete) {
            throw new StorageException(
                    ErrorCode.UNSUPPORTED,
                    "table "
                            + table.path()
                            + " is a log table and takes only inserts, but a row of kind "
                            + kind
                            + " came; write to a table with a primary key, or set"
                            + " 'sink.ignore-delete' = 'true' to append only new rows");
        }
        if (kind == RowKind.UPDATE_BEFORE || kind == RowKind.DELETE) {
            return false;
        }
        writer.append(sameRow);
        return true;
    }
}

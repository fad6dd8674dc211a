package io.flinkfluss.flink.sink.writer;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.row.RowDataView;
import io.flinkfluss.storage.api.table.TableInfo;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.flink.table.data.RowData;

/**
 * What appending and upserting share: a checkpoint waits until all rows are acknowledged, and rows
 * and bytes are counted. For Flink's task thread.
 */
public abstract class TableSinkWriter implements SinkWriter<RowData> {
    final RowWriter writer;
    private final Connection connection;
    private final RowDataView view;
    private final Counter rows;
    private final Counter bytes;
    private long countedBytes;

    TableSinkWriter(
            TableInfo table,
            Connection connection,
            RowWriters writers,
            SinkWriterMetricGroup metrics) {
        this.connection = connection;
        this.writer = writers.open(connection.service(), table);
        this.view = new RowDataView(table.schema());
        // Flink shows these two also as numRecordsOut and numBytesOut.
        this.rows = metrics.getNumRecordsSendCounter();
        this.bytes = metrics.getNumBytesSendCounter();
    }

    @Override
    public final void write(RowData row, Context context) throws InterruptedException {
        if (write(row, view.replace(row))) {
            rows.inc();
            countBytes();
        }
    }

    /** Writes the row as its kind demands; false when it was left out. */
    abstract boolean write(RowData row, RowDataView sameRow) throws InterruptedException;

    @Override
    public final void flush(boolean endOfInput) throws InterruptedException {
        writer.flush();
        countBytes();
    }

    private void countBytes() {
        long written = writer.bytesWritten();
        bytes.inc(written - countedBytes);
        countedBytes = written;
    }

    @Override
    public final void close() {
        try (connection) {
            writer.close();
        }
    }
}

package io.flinkfluss.flink.sink;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.flink.connection.TableHandle;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.flink.sink.writer.AppendSinkWriter;
import io.flinkfluss.flink.sink.writer.RowWriters;
import io.flinkfluss.flink.sink.writer.UpsertSinkWriter;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.streaming.api.connector.sink2.SupportsPreWriteTopology;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.data.RowData;

/**
 * Writes rows that have the table's columns, in order, to a table. A log table takes inserts; a
 * primary-key table takes any kind of change, of deletes only the key. See the package for the
 * guarantees.
 */
public final class FlussSink implements Sink<RowData>, SupportsPreWriteTopology<RowData> {
    private static final long serialVersionUID = 1L;

    private final TableHandle table;
    private final ConnectionOptions connection;
    private final SinkSettings settings;
    private final RowWriters writers;

    /** Whether a sink that runs as one subtask is told so, and shuffles nothing. */
    private final boolean parallelismIsThatOfInput;

    private FlussSink(
            TableInfo table,
            ConnectionOptions connection,
            SinkSettings settings,
            RowWriters writers,
            boolean parallelismIsThatOfInput) {
        settings.shufflesByBucket(table);
        this.table = new TableHandle(table);
        this.connection = connection;
        this.settings = settings;
        this.writers = writers;
        this.parallelismIsThatOfInput = parallelismIsThatOfInput;
    }

    /** A sink for DataStream jobs. */
    public static FlussSinkBuilder builder(String bootstrapServers, TablePath table) {
        return new FlussSinkBuilder(bootstrapServers, table);
    }

    static FlussSink of(
            TableInfo table,
            ConnectionOptions connection,
            SinkSettings settings,
            RowWriters writers) {
        return new FlussSink(table, connection, settings, writers, false);
    }

    /** This sink for when it is sure to run with the parallelism of its input. */
    FlussSink withParallelismOfInput() {
        return new FlussSink(table.table(), connection, settings, writers, true);
    }

    @Override
    public SinkWriter<RowData> createWriter(WriterInitContext context) {
        TableInfo info = table.table();
        Connection open = Connections.acquire(connection);
        try {
            return info.hasPrimaryKey()
                    ? new UpsertSinkWriter(
                            info, open, writers, context.metricGroup(), settings.ignoreDelete())
                    : new AppendSinkWriter(
                            info, open, writers, context.metricGroup(), settings.ignoreDelete());
        } catch (RuntimeException e) {
            open.close();
            throw e;
        }
    }

    @Override
    public DataStream<RowData> addPreWriteTopology(DataStream<RowData> input) {
        boolean oneWriter = parallelismIsThatOfInput && input.getParallelism() == 1;
        return settings.shufflesByBucket(table.table()) && !oneWriter
                ? input.partitionCustom(new BucketSelector.ToSubtask(), new BucketSelector(table))
                : input;
    }
}

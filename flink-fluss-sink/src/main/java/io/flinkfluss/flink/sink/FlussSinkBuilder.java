package io.flinkfluss.flink.sink;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.flink.options.SinkOptions.DistributionMode;
import io.flinkfluss.flink.sink.writer.RowWriters;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;

/** Makes a {@link FlussSink} for a table that exists. */
public final class FlussSinkBuilder {
    private final TablePath table;
    private ConnectionOptions connection;
    private SinkSettings settings = SinkSettings.DEFAULT;

    FlussSinkBuilder(String bootstrapServers, TablePath table) {
        this.connection = ConnectionOptions.of(bootstrapServers);
        this.table = table;
    }

    /** Replaces the servers and all limits of the connection. */
    public FlussSinkBuilder connection(ConnectionOptions value) {
        connection = value;
        return this;
    }

    /** How rows are spread over the parallel writers; AUTO unless set. */
    public FlussSinkBuilder distribution(DistributionMode value) {
        settings = new SinkSettings(value, settings.ignoreDelete());
        return this;
    }

    /** Leaves out deletes and the old rows of updates. */
    public FlussSinkBuilder ignoreDeletes() {
        settings = new SinkSettings(settings.distribution(), true);
        return this;
    }

    /**
     * Asks the service for the table.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException TABLE_NOT_FOUND, UNREACHABLE
     */
    public FlussSink build() {
        try (Connection open = Connections.acquire(connection)) {
            TableInfo info = open.service().admin().table(table);
            return FlussSink.of(info, connection, settings, RowWriters.ofClient());
        }
    }
}

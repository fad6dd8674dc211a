package io.flinkfluss.flink.sink;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.flink.sink.writer.RowWriter;
import io.flinkfluss.flink.sink.writer.RowWriters;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.TableException;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.RowLevelModificationScanContext;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.SinkV2Provider;
import org.apache.flink.table.connector.sink.abilities.SupportsDeletePushDown;
import org.apache.flink.table.connector.sink.abilities.SupportsRowLevelDelete;
import org.apache.flink.table.connector.sink.abilities.SupportsRowLevelUpdate;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.types.RowKind;

/**
 * A table as Flink SQL writes it: INSERT into any table, UPDATE and DELETE (in batch jobs) on a
 * primary-key table. A DELETE that names one key is done at once, without a job.
 */
public final class FlussTableSink
        implements DynamicTableSink,
                SupportsDeletePushDown,
                SupportsRowLevelDelete,
                SupportsRowLevelUpdate {
    private final TableInfo table;
    private final ConnectionOptions connection;
    private final ReadableConfig config;
    private final RowWriters writers;
    private final SinkSettings settings;
    private GenericRow deletedKey;

    /** An UPDATE names the changed columns as target, but its rows are whole. */
    private boolean wholeRows;

    /**
     * @param config the table's options, see {@link io.flinkfluss.flink.options.SinkOptions}
     */
    public FlussTableSink(TableInfo table, ConnectionOptions connection, ReadableConfig config) {
        this(table, connection, config, RowWriters.ofClient());
    }

    FlussTableSink(
            TableInfo table,
            ConnectionOptions connection,
            ReadableConfig config,
            RowWriters writers) {
        this.table = table;
        this.connection = connection;
        this.config = config;
        this.writers = writers;
        this.settings = SinkSettings.of(config);
    }

    @Override
    public ChangelogMode getChangelogMode(ChangelogMode requested) {
        if (!table.hasPrimaryKey() && !settings.ignoreDelete()) {
            if (!requested.containsOnly(RowKind.INSERT)) {
                throw new ValidationException(
                        String.format(
                                "Table %s is a log table and takes only inserts, but the query"
                                        + " updates or deletes rows (%s). Write to a table with a"
                                        + " primary key, or set 'sink.ignore-delete' = 'true' to"
                                        + " append only new rows",
                                table.path(), requested));
            }
            return ChangelogMode.insertOnly();
        }
        // The old rows of updates need not even be made: the table knows them.
        ChangelogMode.Builder accepted = ChangelogMode.newBuilder();
        for (RowKind kind : requested.getContainedKinds()) {
            if (kind != RowKind.UPDATE_BEFORE) {
                accepted.addContainedKind(kind);
            }
        }
        return accepted.keyOnlyDeletes(requested.contains(RowKind.DELETE)).build();
    }

    @Override
    public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
        if (!wholeRows) {
            context.getTargetColumns().ifPresent(this::checkTargetColumns);
        }
        FlussSink sink = FlussSink.of(table, connection, settings, writers);
        Optional<Integer> parallelism = config.getOptional(FactoryUtil.SINK_PARALLELISM);
        return parallelism
                .map(subtasks -> SinkV2Provider.of(sink, subtasks))
                .orElseGet(() -> SinkV2Provider.of(sink.withParallelismOfInput()));
    }

    /** Leaving a column out would overwrite its value with NULL. */
    private void checkTargetColumns(int[][] columns) {
        long given = Arrays.stream(columns).mapToInt(path -> path[0]).distinct().count();
        if (table.hasPrimaryKey() && given < table.schema().columns().size()) {
            throw new ValidationException(
                    String.format(
                            "INSERT INTO %s lists %d of the %d columns, but partial updates are"
                                    + " not supported yet: list all columns %s",
                            table.path(),
                            given,
                            table.schema().columns().size(),
                            table.schema().columns().stream().map(c -> c.name()).toList()));
        }
    }

    @Override
    public boolean applyDeleteFilters(List<ResolvedExpression> filters) {
        requirePrimaryKey("DELETE FROM");
        deletedKey = DeletedKey.of(table.schema(), filters).orElse(null);
        return deletedKey != null;
    }

    @Override
    public Optional<Long> executeDeletion() {
        try (Connection open = Connections.acquire(connection);
                RowWriter writer = writers.open(open.service(), table)) {
            writer.delete(deletedKey);
            writer.flush();
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TableException("DELETE FROM " + table.path() + " was interrupted", e);
        }
    }

    @Override
    public RowLevelDeleteInfo applyRowLevelDelete(RowLevelModificationScanContext context) {
        requirePrimaryKey("DELETE FROM");
        return new RowLevelDeleteInfo() {};
    }

    @Override
    public RowLevelUpdateInfo applyRowLevelUpdate(
            List<Column> updated, RowLevelModificationScanContext context) {
        requirePrimaryKey("UPDATE");
        for (Column column : updated) {
            if (table.schema().primaryKey().contains(column.getName())) {
                throw new ValidationException(
                        String.format(
                                "UPDATE %s cannot change the primary key column %s: delete the row"
                                        + " and insert another",
                                table.path(), column.getName()));
            }
        }
        wholeRows = true;
        return new RowLevelUpdateInfo() {};
    }

    private void requirePrimaryKey(String statement) {
        if (!table.hasPrimaryKey()) {
            throw new ValidationException(
                    String.format(
                            "%s %s is not possible: it is a log table, whose rows stay as they"
                                    + " are. Only tables with a primary key can be changed",
                            statement, table.path()));
        }
    }

    @Override
    public DynamicTableSink copy() {
        FlussTableSink copy = new FlussTableSink(table, connection, config, writers);
        copy.deletedKey = deletedKey;
        copy.wholeRows = wholeRows;
        return copy;
    }

    @Override
    public String asSummaryString() {
        return "Fluss[" + table.path() + "]";
    }
}

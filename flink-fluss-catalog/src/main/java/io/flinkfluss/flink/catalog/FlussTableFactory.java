package io.flinkfluss.flink.catalog;

import io.flinkfluss.flink.catalog.table.TableDefinitions;
import io.flinkfluss.flink.catalog.table.VirtualTable;
import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.flink.options.FlussOptions;
import io.flinkfluss.flink.options.KnownOptions;
import io.flinkfluss.flink.sink.FlussTableSink;
import io.flinkfluss.flink.type.FlinkTypes;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * Makes sources and sinks of tables: of a catalog's ones, and of temporary tables with {@code
 * 'connector' = 'fluss'}, which have the database and name of their table in the service.
 */
public final class FlussTableFactory implements DynamicTableSourceFactory, DynamicTableSinkFactory {
    private final CatalogSettings settings;

    /** For temporary tables; Flink finds it by {@code 'connector' = 'fluss'}. */
    public FlussTableFactory() {
        this(CatalogSettings.NONE);
    }

    FlussTableFactory(CatalogSettings settings) {
        this.settings = settings;
    }

    @Override
    public String factoryIdentifier() {
        return FlussCatalogFactory.IDENTIFIER;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return new HashSet<>(KnownOptions.all());
    }

    @Override
    public Set<ConfigOption<?>> forwardOptions() {
        return new HashSet<>(FlussOptions.all());
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        ConnectionOptions connection = settings.connection(context.getCatalogTable().getOptions());
        ObjectPath path = context.getObjectIdentifier().toObjectPath();
        try (Connection open = connect(connection, context)) {
            StorageService service = open.service();
            TableInfo table = table(service, context);
            check(context, table);
            Map<String, String> lake =
                    table.descriptor().lakeEnabled()
                            ? new LakeTables(service.admin(), settings.lake()).settings()
                            : Map.of();
            return new FlussTableSource(
                    new ScanTarget(table, VirtualTable.of(path), connection, lake),
                    ScanSettings.of(
                            Configuration.fromMap(context.getCatalogTable().getOptions()),
                            context.getConfiguration()));
        }
    }

    @Override
    public DynamicTableSink createDynamicTableSink(Context context) {
        ObjectIdentifier identifier = context.getObjectIdentifier();
        if (VirtualTable.of(identifier.toObjectPath()).isPresent()) {
            throw new ValidationException(
                    String.format(
                            "%s is a read-only view; write to its table %s instead",
                            identifier.asSummaryString(),
                            VirtualTable.base(identifier.toObjectPath())));
        }
        ConnectionOptions connection = settings.connection(context.getCatalogTable().getOptions());
        try (Connection open = connect(connection, context)) {
            TableInfo table = table(open.service(), context);
            check(context, table);
            return new FlussTableSink(
                    table,
                    connection,
                    Configuration.fromMap(context.getCatalogTable().getOptions()));
        }
    }

    private static Connection connect(ConnectionOptions options, Context context) {
        try {
            return Connections.acquire(options);
        } catch (StorageException e) {
            throw new ValidationException(
                    String.format(
                            "table %s cannot use the storage service at %s: %s",
                            context.getObjectIdentifier().asSummaryString(),
                            options.bootstrapServers(),
                            e.getMessage()),
                    e);
        }
    }

    private static TableInfo table(StorageService service, Context context) {
        ObjectPath path = VirtualTable.base(context.getObjectIdentifier().toObjectPath());
        try {
            return service.admin()
                    .table(new TablePath(path.getDatabaseName(), path.getObjectName()));
        } catch (StorageException e) {
            throw new ValidationException(
                    String.format(
                            "table %s: %s",
                            context.getObjectIdentifier().asSummaryString(), e.getMessage()),
                    e);
        }
    }

    private static void check(Context context, TableInfo table) {
        Map<String, String> options = context.getCatalogTable().getOptions();
        String name = "table " + context.getObjectIdentifier().asSummaryString();
        KnownOptions.check(name, options.keySet());
        TableDefinitions.checkStorageOptions(name, options, table);
        Optional<VirtualTable> view = VirtualTable.of(context.getObjectIdentifier().toObjectPath());
        if (context.isTemporary() && view.isEmpty()) {
            LogicalType declared = context.getPhysicalRowDataType().getLogicalType();
            LogicalType stored = FlinkTypes.toFlink(table.schema());
            if (!declared.copy(true).equals(stored.copy(true))) {
                throw new ValidationException(
                        String.format(
                                "%s is declared as %s, but the table %s has %s. Declare the same"
                                        + " columns in the same order",
                                name,
                                declared.asSummaryString(),
                                table.path(),
                                stored.asSummaryString()));
            }
        }
    }
}

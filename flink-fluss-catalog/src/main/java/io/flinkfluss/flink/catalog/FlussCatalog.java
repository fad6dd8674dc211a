package io.flinkfluss.flink.catalog;

import io.flinkfluss.flink.catalog.procedure.Procedures;
import io.flinkfluss.flink.catalog.table.TableDefinitions;
import io.flinkfluss.flink.catalog.table.VirtualTable;
import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.TableAdmin.DropMode;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.table.catalog.CatalogDatabaseImpl;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.exceptions.CatalogException;
import org.apache.flink.table.catalog.exceptions.DatabaseAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotEmptyException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotExistException;
import org.apache.flink.table.catalog.exceptions.ProcedureNotExistException;
import org.apache.flink.table.catalog.exceptions.TableAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.TableNotExistException;
import org.apache.flink.table.factories.Factory;
import org.apache.flink.table.procedures.Procedure;

/**
 * Databases and tables of one storage service. Every call asks the service; nothing is cached, so
 * what another session did is seen at once. Threads may share it.
 */
public final class FlussCatalog extends TablesOnlyCatalog {
    private final CatalogSettings settings;
    private final ConnectionOptions connectionOptions;
    private final Procedures procedures =
            new Procedures(() -> connection().service().clusterAdmin());
    private volatile Connection connection;

    FlussCatalog(String name, String defaultDatabase, CatalogSettings settings) {
        super(name, defaultDatabase);
        this.settings = settings;
        this.connectionOptions = settings.connection();
    }

    /** Connects, and checks that the default database exists. */
    @Override
    public void open() {
        if (connection != null) {
            return;
        }
        try {
            connection = Connections.acquire(connectionOptions);
            if (!databaseExists(getDefaultDatabase())) {
                throw new CatalogException(
                        String.format(
                                "catalog %s: the 'default-database' %s does not exist at %s; found"
                                        + " %s. Name one of these, or create it first",
                                getName(),
                                getDefaultDatabase(),
                                connectionOptions.bootstrapServers(),
                                listDatabases()));
            }
        } catch (StorageException e) {
            close();
            throw new CatalogException(
                    String.format(
                            "catalog %s cannot use the storage service at %s: %s",
                            getName(), connectionOptions.bootstrapServers(), e.getMessage()),
                    e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public Optional<Factory> getFactory() {
        return Optional.of(new FlussTableFactory(settings));
    }

    @Override
    public List<String> listDatabases() {
        return admin().databases();
    }

    @Override
    public CatalogDatabase getDatabase(String name) throws DatabaseNotExistException {
        try {
            DatabaseInfo database = admin().database(name);
            return new CatalogDatabaseImpl(database.properties(), database.comment());
        } catch (StorageException e) {
            throw orDatabaseMissing(name, e);
        }
    }

    @Override
    public boolean databaseExists(String name) {
        try {
            admin().database(name);
            return true;
        } catch (StorageException e) {
            if (e.code() == ErrorCode.DATABASE_NOT_FOUND || e.code() == ErrorCode.INVALID_NAME) {
                return false;
            }
            throw failed(e);
        }
    }

    @Override
    public void createDatabase(String name, CatalogDatabase database, boolean ignoreIfExists)
            throws DatabaseAlreadyExistException {
        try {
            String comment = database.getComment() == null ? "" : database.getComment();
            admin().createDatabase(name, comment, database.getProperties());
        } catch (StorageException e) {
            if (e.code() != ErrorCode.DATABASE_ALREADY_EXISTS) {
                throw failed(e);
            }
            if (!ignoreIfExists) {
                throw new DatabaseAlreadyExistException(getName(), name, e);
            }
        }
    }

    @Override
    public void dropDatabase(String name, boolean ignoreIfNotExists, boolean cascade)
            throws DatabaseNotExistException, DatabaseNotEmptyException {
        try {
            admin().dropDatabase(name, cascade ? DropMode.CASCADE : DropMode.RESTRICT);
        } catch (StorageException e) {
            if (e.code() == ErrorCode.DATABASE_NOT_EMPTY) {
                throw new DatabaseNotEmptyException(getName(), name, e);
            }
            if (e.code() != ErrorCode.DATABASE_NOT_FOUND || !ignoreIfNotExists) {
                throw orDatabaseMissing(name, e);
            }
        }
    }

    @Override
    public List<String> listTables(String database) throws DatabaseNotExistException {
        try {
            return admin().tables(database);
        } catch (StorageException e) {
            throw orDatabaseMissing(database, e);
        }
    }

    @Override
    public CatalogBaseTable getTable(ObjectPath path) throws TableNotExistException {
        TableInfo table =
                table(path).orElseThrow(() -> new TableNotExistException(getName(), path));
        return VirtualTable.of(path)
                .map(virtual -> TableDefinitions.toCatalogTable(table, virtual))
                .orElseGet(() -> TableDefinitions.toCatalogTable(table));
    }

    @Override
    public boolean tableExists(ObjectPath path) {
        return table(path).isPresent();
    }

    /** The table, or the table that this view is of. */
    private Optional<TableInfo> table(ObjectPath path) {
        ObjectPath base = VirtualTable.base(path);
        if (!base.equals(path) && VirtualTable.of(path).isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(admin().table(pathOf(base)));
        } catch (StorageException e) {
            return switch (e.code()) {
                case TABLE_NOT_FOUND, DATABASE_NOT_FOUND, INVALID_NAME -> Optional.empty();
                default -> throw failed(e);
            };
        }
    }

    @Override
    public void createTable(ObjectPath path, CatalogBaseTable table, boolean ignoreIfExists)
            throws TableAlreadyExistException, DatabaseNotExistException {
        refuseView(path, "created");
        if (!(table instanceof ResolvedCatalogTable resolved)) {
            throw new CatalogException(
                    String.format(
                            "%s is a %s; a catalog of type 'fluss' holds tables only. Create views"
                                    + " as TEMPORARY or in another catalog",
                            path, table.getTableKind()));
        }
        if (tableExists(path)) {
            if (ignoreIfExists) {
                return;
            }
            throw new TableAlreadyExistException(getName(), path);
        }
        TableDescriptor descriptor = TableDefinitions.toDescriptor(resolved);
        try {
            if (descriptor.lakeEnabled()) {
                new LakeTables(admin(), settings.lake()).create(pathOf(path), descriptor);
            } else {
                admin().createTable(pathOf(path), descriptor);
            }
        } catch (StorageException e) {
            if (e.code() == ErrorCode.DATABASE_NOT_FOUND) {
                throw new DatabaseNotExistException(getName(), path.getDatabaseName(), e);
            }
            if (e.code() != ErrorCode.TABLE_ALREADY_EXISTS || !tableExists(path)) {
                throw failed(e);
            }
            if (!ignoreIfExists) {
                throw new TableAlreadyExistException(getName(), path, e);
            }
        }
    }

    @Override
    public void dropTable(ObjectPath path, boolean ignoreIfNotExists)
            throws TableNotExistException {
        refuseView(path, "dropped");
        try {
            admin().dropTable(pathOf(path));
        } catch (StorageException e) {
            if (e.code() != ErrorCode.TABLE_NOT_FOUND && e.code() != ErrorCode.DATABASE_NOT_FOUND) {
                throw failed(e);
            }
            if (!ignoreIfNotExists) {
                throw new TableNotExistException(getName(), path, e);
            }
        }
    }

    private static void refuseView(ObjectPath path, String done) {
        if (path.getObjectName().indexOf('$') >= 0) {
            ObjectPath base = VirtualTable.base(path);
            throw new CatalogException(
                    String.format(
                            "%s cannot be %s: a name with '$' is a read-only view that comes and"
                                    + " goes with its table %s",
                            path, done, base));
        }
    }

    /** The procedures are in a database that has nothing else and is not listed. */
    @Override
    public List<String> listProcedures(String database) {
        return database.equals(Procedures.DATABASE) ? procedures.names() : List.of();
    }

    @Override
    public Procedure getProcedure(ObjectPath path) throws ProcedureNotExistException {
        if (path.getDatabaseName().equals(Procedures.DATABASE)) {
            Optional<Procedure> found = procedures.find(path.getObjectName());
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw new ProcedureNotExistException(getName(), path);
    }

    private TableAdmin admin() {
        return connection().service().admin();
    }

    private Connection connection() {
        Connection open = connection;
        if (open == null) {
            throw new CatalogException(
                    "catalog " + getName() + " is not open: open it, or create it anew");
        }
        return open;
    }

    private static TablePath pathOf(ObjectPath path) {
        return new TablePath(path.getDatabaseName(), path.getObjectName());
    }

    private DatabaseNotExistException orDatabaseMissing(String database, StorageException e) {
        if (e.code() == ErrorCode.DATABASE_NOT_FOUND) {
            return new DatabaseNotExistException(getName(), database, e);
        }
        throw failed(e);
    }

    private static CatalogException failed(StorageException e) {
        return new CatalogException(e.getMessage(), e);
    }
}

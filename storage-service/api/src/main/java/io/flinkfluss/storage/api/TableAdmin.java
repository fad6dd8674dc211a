package io.flinkfluss.storage.api;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import java.util.List;
import java.util.Map;

/**
 * Databases and tables. Every call is durable when it returns and blocks at most for the request
 * deadline, after which it throws TIMEOUT ({@link
 * io.flinkfluss.storage.api.error.ErrorKind#OUTCOME_UNKNOWN}). Names: ASCII letters, digits, {@code
 * _} and {@code -}, at most 200 characters, not starting with two underscores. The database {@code
 * fluss} always exists.
 */
public interface TableAdmin {
    List<String> databases();

    /**
     * @throws StorageException DATABASE_NOT_FOUND
     */
    DatabaseInfo database(String name);

    /**
     * @throws StorageException DATABASE_ALREADY_EXISTS, INVALID_NAME
     */
    void createDatabase(String name, String comment, Map<String, String> properties);

    /**
     * Drops an empty database; with {@link DropMode#CASCADE} its tables first.
     *
     * @throws StorageException DATABASE_NOT_FOUND, DATABASE_NOT_EMPTY
     */
    void dropDatabase(String name, DropMode mode);

    /** Names of the database's tables in order. @throws StorageException DATABASE_NOT_FOUND */
    List<String> tables(String database);

    /**
     * @throws StorageException TABLE_NOT_FOUND, DATABASE_NOT_FOUND
     */
    TableInfo table(TablePath path);

    /**
     * @return the table with its new id
     * @throws StorageException DATABASE_NOT_FOUND, TABLE_ALREADY_EXISTS, INVALID_NAME,
     *     INVALID_TABLE, UNKNOWN_OPTION, INVALID_OPTION, UNSUPPORTED
     */
    TableInfo createTable(TablePath path, TableDescriptor descriptor);

    /**
     * Drops the table and its rows; the lake table is kept. @throws StorageException
     * TABLE_NOT_FOUND
     */
    void dropTable(TablePath path);

    /**
     * Settings of the lake that tables of this service tier to: {@code format}, {@code type},
     * {@code warehouse}, …; empty when none is set; no secrets.
     */
    Map<String, String> lakeSettings();

    /** What to do with the tables of a database that is dropped. */
    enum DropMode {
        RESTRICT,
        CASCADE
    }
}

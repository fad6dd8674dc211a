package io.flinkfluss.storage.api.testkit;

import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TableRules;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Databases and tables of the in-memory service. */
final class InMemoryTables implements TableAdmin {
    private final Object lock;
    private final Clock clock;
    private final Map<String, String> lakeSettings;
    private final TreeMap<String, DatabaseInfo> databases = new TreeMap<>();
    private final Map<String, TreeMap<String, TableInfo>> tables = new HashMap<>();
    private final Map<TableId, TableInfo> byId = new HashMap<>();
    private long lastTableId;

    InMemoryTables(Object lock, Clock clock, Map<String, String> lakeSettings) {
        this.lock = lock;
        this.clock = clock;
        this.lakeSettings = Map.copyOf(lakeSettings);
        createDatabase(TableRules.DEFAULT_DATABASE, "", Map.of());
    }

    @Override
    public List<String> databases() {
        synchronized (lock) {
            return List.copyOf(databases.keySet());
        }
    }

    @Override
    public DatabaseInfo database(String name) {
        synchronized (lock) {
            requireDatabase(name);
            return databases.get(name);
        }
    }

    private TreeMap<String, TableInfo> requireDatabase(String name) {
        TreeMap<String, TableInfo> found = tables.get(name);
        if (found == null) {
            throw new StorageException(
                    ErrorCode.DATABASE_NOT_FOUND,
                    "database " + name + " does not exist; there are " + databases.keySet());
        }
        return found;
    }

    @Override
    public void createDatabase(String name, String comment, Map<String, String> properties) {
        TableRules.checkDatabaseName(name);
        synchronized (lock) {
            if (databases.containsKey(name)) {
                throw new StorageException(
                        ErrorCode.DATABASE_ALREADY_EXISTS, "database " + name + " exists already");
            }
            databases.put(name, new DatabaseInfo(name, comment, properties, clock.millis()));
            tables.put(name, new TreeMap<>());
        }
    }

    @Override
    public void dropDatabase(String name, DropMode mode) {
        synchronized (lock) {
            TreeMap<String, TableInfo> inside = requireDatabase(name);
            if (mode == DropMode.RESTRICT && !inside.isEmpty()) {
                throw new StorageException(
                        ErrorCode.DATABASE_NOT_EMPTY,
                        "database "
                                + name
                                + " has the tables "
                                + inside.keySet()
                                + "; drop them first or use CASCADE");
            }
            if (name.equals(TableRules.DEFAULT_DATABASE)) {
                throw new StorageException(
                        ErrorCode.INVALID_REQUEST, "database " + name + " always exists");
            }
            inside.values().forEach(table -> byId.remove(table.id()));
            tables.remove(name);
            databases.remove(name);
        }
    }

    @Override
    public List<String> tables(String database) {
        synchronized (lock) {
            return List.copyOf(requireDatabase(database).keySet());
        }
    }

    @Override
    public TableInfo table(TablePath path) {
        synchronized (lock) {
            TableInfo table = requireDatabase(path.database()).get(path.table());
            if (table == null) {
                throw notFound(path.toString());
            }
            return table;
        }
    }

    TableInfo table(TableId id) {
        synchronized (lock) {
            TableInfo table = byId.get(id);
            if (table == null) {
                throw notFound("with the id " + id);
            }
            return table;
        }
    }

    void checkBucket(BucketId id) {
        int count = table(id.table()).descriptor().bucketCount();
        if (id.bucket() >= count || id.partition() != BucketId.NO_PARTITION) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "bucket " + id + " does not exist; the table has buckets 0 to " + (count - 1));
        }
    }

    @Override
    public TableInfo createTable(TablePath path, TableDescriptor descriptor) {
        TableDescriptor checked =
                TableRules.check(path, descriptor, new TableRules.Service(1, lakeSettings));
        synchronized (lock) {
            TreeMap<String, TableInfo> inside = requireDatabase(path.database());
            if (inside.containsKey(path.table())) {
                throw new StorageException(
                        ErrorCode.TABLE_ALREADY_EXISTS, "table " + path + " exists already");
            }
            long now = clock.millis();
            TableInfo table = new TableInfo(new TableId(++lastTableId), path, checked, now, now);
            inside.put(path.table(), table);
            byId.put(table.id(), table);
            return table;
        }
    }

    @Override
    public void dropTable(TablePath path) {
        synchronized (lock) {
            TableInfo table = table(path);
            requireDatabase(path.database()).remove(path.table());
            byId.remove(table.id());
        }
    }

    @Override
    public Map<String, String> lakeSettings() {
        return lakeSettings;
    }

    private static StorageException notFound(String what) {
        return new StorageException(
                ErrorCode.TABLE_NOT_FOUND,
                "table " + what + " does not exist; it may have been dropped");
    }
}

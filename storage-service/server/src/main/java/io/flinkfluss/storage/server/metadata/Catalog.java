package io.flinkfluss.storage.server.metadata;

import io.flinkfluss.storage.api.TableAdmin.DropMode;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TableRules;
import io.flinkfluss.storage.api.wire.MetadataCodec;
import io.flinkfluss.storage.api.wire.WireInput;
import io.flinkfluss.storage.api.wire.WireOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All metadata in memory: databases, tables, taken numbers, lake progress and draining nodes. One
 * thread changes it; any thread reads.
 */
final class Catalog {
    /** Guards the fields below. */
    private final Object lock = new Object();

    private final Map<String, DatabaseInfo> databases = new TreeMap<>();
    private final Map<TableId, TableInfo> tables = new TreeMap<>();
    private final Map<String, Map<String, TableId>> names = new TreeMap<>();
    private final Map<TableId, LakeTiering> tierings = new TreeMap<>();
    private final Set<String> draining = new TreeSet<>();
    private long nextTable = 1;
    private long nextNumber = 1;

    Catalog() {
        add(new DatabaseInfo(TableRules.DEFAULT_DATABASE, "", Map.of(), 0));
    }

    List<String> databases() {
        synchronized (lock) {
            return List.copyOf(databases.keySet());
        }
    }

    DatabaseInfo database(String name) {
        synchronized (lock) {
            return existingDatabase(name);
        }
    }

    List<String> tables(String database) {
        synchronized (lock) {
            existingDatabase(database);
            return List.copyOf(names.get(database).keySet());
        }
    }

    TableInfo table(TablePath path) {
        synchronized (lock) {
            return existingTable(path);
        }
    }

    Optional<TableInfo> table(TableId id) {
        synchronized (lock) {
            return Optional.ofNullable(tables.get(id));
        }
    }

    Set<TableId> tableIds() {
        synchronized (lock) {
            return new TreeSet<>(tables.keySet());
        }
    }

    Optional<LakeTiering> tiering(TableId id) {
        synchronized (lock) {
            return Optional.ofNullable(tierings.get(id));
        }
    }

    Set<String> draining() {
        synchronized (lock) {
            return Set.copyOf(draining);
        }
    }

    void drain(String node) {
        synchronized (lock) {
            draining.add(node);
        }
    }

    void stopDraining(String node) {
        synchronized (lock) {
            draining.remove(node);
        }
    }

    void createDatabase(DatabaseInfo database) {
        synchronized (lock) {
            if (databases.containsKey(database.name())) {
                throw new StorageException(
                        ErrorCode.DATABASE_ALREADY_EXISTS,
                        "database " + database.name() + " exists already");
            }
            add(database);
        }
    }

    List<TableId> dropDatabase(String name, DropMode mode) {
        synchronized (lock) {
            existingDatabase(name);
            if (name.equals(TableRules.DEFAULT_DATABASE)) {
                throw new StorageException(
                        ErrorCode.INVALID_REQUEST,
                        "the database "
                                + TableRules.DEFAULT_DATABASE
                                + " always exists; drop its tables");
            }
            List<TableId> dropped = new ArrayList<>(names.get(name).values());
            if (mode == DropMode.RESTRICT && !dropped.isEmpty()) {
                throw new StorageException(
                        ErrorCode.DATABASE_NOT_EMPTY,
                        "database "
                                + name
                                + " has the tables "
                                + names.get(name).keySet()
                                + "; drop them first, or use CASCADE");
            }
            databases.remove(name);
            names.remove(name);
            dropped.forEach(tables::remove);
            dropped.forEach(tierings::remove);
            return dropped;
        }
    }

    TableInfo createTable(TablePath path, TableDescriptor descriptor, long millis) {
        synchronized (lock) {
            existingDatabase(path.database());
            if (names.get(path.database()).containsKey(path.table())) {
                throw new StorageException(
                        ErrorCode.TABLE_ALREADY_EXISTS, "table " + path + " exists already");
            }
            TableInfo table =
                    new TableInfo(new TableId(nextTable++), path, descriptor, millis, millis);
            add(table);
            return table;
        }
    }

    TableId dropTable(TablePath path) {
        synchronized (lock) {
            TableId id = existingTable(path).id();
            names.get(path.database()).remove(path.table());
            tables.remove(id);
            tierings.remove(id);
            return id;
        }
    }

    long takeNumbers(int count) {
        synchronized (lock) {
            long first = nextNumber;
            nextNumber += count;
            return first;
        }
    }

    void register(LakeTiering tiering) {
        synchronized (lock) {
            if (!tables.containsKey(tiering.table())) {
                throw new StorageException(
                        ErrorCode.TABLE_NOT_FOUND,
                        "table " + tiering.table() + " does not exist; it may have been dropped");
            }
            LakeTiering known = tierings.get(tiering.table());
            if (known != null && known.round() > tiering.round()) {
                throw new StorageException(
                        ErrorCode.STALE_LAKE_PROGRESS,
                        "round "
                                + tiering.round()
                                + " of table "
                                + tiering.table()
                                + " comes too late: round "
                                + known.round()
                                + " is registered; read the newest lake snapshot and go on from"
                                + " there");
            }
            tierings.put(tiering.table(), tiering);
        }
    }

    /**
     * @param version of the metadata checkpoint
     */
    void write(WireOutput output, int version) {
        synchronized (lock) {
            output.writeVarint(nextTable).writeVarint(nextNumber).writeVarint(databases.size());
            databases.values().forEach(value -> MetadataCodec.writeDatabaseInfo(output, value));
            output.writeVarint(tables.size());
            tables.values().forEach(value -> MetadataCodec.writeTableInfo(output, value));
            output.writeVarint(tierings.size());
            tierings.values().forEach(value -> MetadataCodec.writeLakeTiering(output, value));
            if (version > 1) {
                output.writeStrings(List.copyOf(draining));
            }
        }
    }

    /**
     * @param version of the metadata checkpoint
     */
    static Catalog read(WireInput input, int version) {
        Catalog catalog = new Catalog();
        synchronized (catalog.lock) {
            catalog.nextTable = input.readVarint();
            catalog.nextNumber = input.readVarint();
            for (int left = input.readCount(); left > 0; left--) {
                catalog.add(MetadataCodec.readDatabaseInfo(input));
            }
            for (int left = input.readCount(); left > 0; left--) {
                catalog.add(MetadataCodec.readTableInfo(input));
            }
            for (int left = input.readCount(); left > 0; left--) {
                LakeTiering tiering = MetadataCodec.readLakeTiering(input);
                catalog.tierings.put(tiering.table(), tiering);
            }
            if (version > 1) {
                catalog.draining.addAll(input.readStrings());
            }
        }
        return catalog;
    }

    private void add(DatabaseInfo database) {
        synchronized (lock) {
            databases.put(database.name(), database);
            names.putIfAbsent(database.name(), new TreeMap<>());
        }
    }

    private void add(TableInfo table) {
        synchronized (lock) {
            tables.put(table.id(), table);
            names.get(table.path().database()).put(table.path().table(), table.id());
        }
    }

    private DatabaseInfo existingDatabase(String name) {
        synchronized (lock) {
            DatabaseInfo database = databases.get(name);
            if (database == null) {
                throw new StorageException(
                        ErrorCode.DATABASE_NOT_FOUND,
                        "database " + name + " does not exist; there are " + databases.keySet());
            }
            return database;
        }
    }

    private TableInfo existingTable(TablePath path) {
        synchronized (lock) {
            existingDatabase(path.database());
            TableId id = names.get(path.database()).get(path.table());
            if (id == null) {
                throw new StorageException(
                        ErrorCode.TABLE_NOT_FOUND,
                        "table "
                                + path
                                + " does not exist; database "
                                + path.database()
                                + " has "
                                + some(names.get(path.database()).keySet()));
            }
            return tables.get(id);
        }
    }

    private static String some(Set<String> tables) {
        return tables.size() <= 20 ? tables.toString() : tables.size() + " other tables";
    }
}

package io.flinkfluss.lake.iceberg;

import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeCommitter;
import io.flinkfluss.lake.LakeMaintenance;
import io.flinkfluss.lake.LakeReader;
import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.lake.LakeWriter;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;

/** An open Iceberg catalog. Tables are loaded anew for each call, so each sees what is there. */
final class IcebergLake implements LakeCatalog {
    private final Catalog catalog;

    IcebergLake(Catalog catalog) {
        this.catalog = catalog;
    }

    @Override
    public void validate(TablePath path, TableDescriptor descriptor) {
        IcebergLayout layout = IcebergLayout.of(descriptor);
        try {
            requireNoClash(path);
            Optional<Table> existing = find(path);
            if (existing.isPresent()) {
                requireAdoptable(path, layout, existing.get());
            }
        } catch (RuntimeException e) {
            throw IcebergErrors.of("look for lake table " + path, e);
        }
    }

    @Override
    public void createTable(TableInfo info) {
        IcebergLayout layout = IcebergLayout.of(info.descriptor());
        TablePath path = info.path();
        try {
            Optional<Table> existing = find(path);
            if (existing.isEmpty()) {
                requireNoClash(path);
                ensureNamespace(path);
                Map<String, String> properties = new HashMap<>(layout.properties());
                properties.putAll(owner(info));
                try {
                    catalog.buildTable(identifier(path), layout.schema())
                            .withPartitionSpec(layout.spec())
                            .withProperties(properties)
                            .create();
                    return;
                } catch (AlreadyExistsException e) {
                    existing = find(path); // another client was quicker
                }
            }
            Table table = existing.orElseThrow();
            if (isOwnedBy(table, info)) {
                requireEqualShape(path, layout, table);
            } else {
                requireAdoptable(path, layout, table);
                var update = table.updateProperties();
                layout.properties().forEach(update::set);
                owner(info).forEach(update::set);
                update.commit();
            }
        } catch (RuntimeException e) {
            throw IcebergErrors.of("create lake table " + path, e);
        }
    }

    private void ensureNamespace(TablePath path) {
        Namespace namespace = Namespace.of(path.database());
        if (catalog instanceof SupportsNamespaces namespaces
                && !namespaces.namespaceExists(namespace)) {
            try {
                namespaces.createNamespace(namespace);
            } catch (AlreadyExistsException e) {
                // another client was quicker
            }
        }
    }

    /** Some catalogs and engines ignore case; two tables must not become one there. */
    private void requireNoClash(TablePath path) {
        List<TableIdentifier> tables;
        try {
            tables = catalog.listTables(Namespace.of(path.database()));
        } catch (NoSuchNamespaceException e) {
            return;
        }
        for (TableIdentifier table : tables) {
            if (table.name().equalsIgnoreCase(path.table()) && !table.name().equals(path.table())) {
                throw new StorageException(
                        ErrorCode.INVALID_NAME,
                        "lake table "
                                + path
                                + " cannot be made: "
                                + path.database()
                                + "."
                                + table.name()
                                + " exists and differs only in upper and lower case, which many"
                                + " readers of the lake ignore; choose another name");
            }
        }
    }

    private static void requireAdoptable(TablePath path, IcebergLayout layout, Table table) {
        if (table.currentSnapshot() != null) {
            String owner = table.properties().get(IcebergLayout.OWNER);
            throw new StorageException(
                    ErrorCode.TABLE_ALREADY_EXISTS,
                    "lake table "
                            + path
                            + " at "
                            + table.location()
                            + " exists and holds rows of "
                            + (owner == null
                                    ? "another system"
                                    : "an earlier table, number " + owner)
                            + "; only an empty one can be taken over. Drop it in the lake or choose"
                            + " another name");
        }
        requireEqualShape(path, layout, table);
    }

    private static void requireEqualShape(TablePath path, IcebergLayout layout, Table table) {
        String wanted = IcebergLayout.describe(layout.schema(), layout.spec());
        String found = IcebergLayout.describe(table.schema(), table.spec());
        if (!wanted.equals(found)) {
            throw new StorageException(
                    ErrorCode.TABLE_ALREADY_EXISTS,
                    "lake table "
                            + path
                            + " at "
                            + table.location()
                            + " exists with another shape. Wanted: "
                            + wanted
                            + ". Found: "
                            + found
                            + ". Drop it in the lake or choose another name");
        }
    }

    private static Map<String, String> owner(TableInfo info) {
        return Map.of(
                IcebergLayout.OWNER,
                info.id().toString(),
                IcebergLayout.OWNER_CREATED,
                Long.toString(info.createdAtMillis()));
    }

    /** Lake tables of the first release do not say when their owner was created. */
    private static boolean isOwnedBy(Table table, TableInfo info) {
        String created = Long.toString(info.createdAtMillis());
        Map<String, String> properties = table.properties();
        return info.id().toString().equals(properties.get(IcebergLayout.OWNER))
                && properties.getOrDefault(IcebergLayout.OWNER_CREATED, created).equals(created);
    }

    @Override
    public void dropTable(TableInfo info) {
        try {
            catalog.dropTable(identifier(info.path()), true);
        } catch (NoSuchTableException e) {
            // it is gone already
        } catch (RuntimeException e) {
            throw IcebergErrors.of("drop lake table " + info.path(), e);
        }
    }

    @Override
    public Optional<LakeSnapshot> latestSnapshot(TableInfo info) {
        try {
            return find(info.path())
                    .filter(table -> isOwnedBy(table, info))
                    .flatMap(table -> TieredSnapshots.newest(table, info.id()));
        } catch (RuntimeException e) {
            throw IcebergErrors.of("read lake table " + info.path(), e);
        }
    }

    @Override
    public LakeWriter newWriter(TableInfo info, BucketId bucket) {
        Table table = require(info);
        return info.hasPrimaryKey()
                ? new FoldingWriter(table, info, bucket)
                : new LogRowsWriter(table, info, bucket);
    }

    @Override
    public LakeCommitter committer(TableInfo info) {
        return new IcebergCommitter(this, info);
    }

    @Override
    public LakeReader reader(TableInfo info) {
        return new IcebergReader(require(info), info);
    }

    @Override
    public LakeMaintenance maintenance(TableInfo info) {
        return new IcebergMaintenance(require(info), info, Clock.systemUTC());
    }

    @Override
    public String location(TableInfo info) {
        return require(info).location();
    }

    /**
     * The lake table, freshly loaded.
     *
     * @throws StorageException TABLE_NOT_FOUND when it is missing or belongs to another table
     */
    Table require(TableInfo info) {
        try {
            Table table = catalog.loadTable(identifier(info.path()));
            if (!isOwnedBy(table, info)) {
                String owner = table.properties().get(IcebergLayout.OWNER);
                throw new StorageException(
                        ErrorCode.TABLE_NOT_FOUND,
                        "lake table "
                                + info.path()
                                + " belongs to table number "
                                + owner
                                + ", not to "
                                + info.id()
                                + (info.id().toString().equals(owner) ? " of this cluster" : "")
                                + ": the table was dropped and created again, here or in the lake,"
                                + " or a table of another cluster has this name and lake");
            }
            return table;
        } catch (RuntimeException e) {
            throw IcebergErrors.of("open lake table " + info.path(), e);
        }
    }

    private Optional<Table> find(TablePath path) {
        try {
            return Optional.of(catalog.loadTable(identifier(path)));
        } catch (NoSuchTableException e) {
            return Optional.empty();
        }
    }

    private static TableIdentifier identifier(TablePath path) {
        return TableIdentifier.of(path.database(), path.table());
    }

    @Override
    public void close() {
        if (catalog instanceof Closeable closeable) {
            try {
                closeable.close();
            } catch (IOException e) {
                // nothing is written by a catalog that closes
            }
        }
    }
}

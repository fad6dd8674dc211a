package io.flinkfluss.flink.catalog;

import java.util.List;
import org.apache.flink.table.catalog.AbstractCatalog;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.table.catalog.CatalogFunction;
import org.apache.flink.table.catalog.CatalogPartition;
import org.apache.flink.table.catalog.CatalogPartitionSpec;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.exceptions.FunctionNotExistException;
import org.apache.flink.table.catalog.exceptions.PartitionNotExistException;
import org.apache.flink.table.catalog.exceptions.TableNotExistException;
import org.apache.flink.table.catalog.exceptions.TableNotPartitionedException;
import org.apache.flink.table.catalog.stats.CatalogColumnStatistics;
import org.apache.flink.table.catalog.stats.CatalogTableStatistics;
import org.apache.flink.table.expressions.Expression;

/** What a catalog of type {@code fluss} does not have, each with what to do instead. */
abstract class TablesOnlyCatalog extends AbstractCatalog {
    TablesOnlyCatalog(String name, String defaultDatabase) {
        super(name, defaultDatabase);
    }

    @Override
    public List<String> listViews(String database) {
        return List.of();
    }

    @Override
    public void alterDatabase(String name, CatalogDatabase database, boolean ignoreIfNotExists) {
        throw unsupported("ALTER DATABASE", "drop the database and create it anew");
    }

    @Override
    public void renameTable(ObjectPath path, String newName, boolean ignoreIfNotExists) {
        throw unsupported("RENAME TABLE", "create a table with the new name and copy the rows");
    }

    @Override
    public void alterTable(ObjectPath path, CatalogBaseTable table, boolean ignoreIfNotExists) {
        throw unsupported(
                "ALTER TABLE", "create a table with the new definition and copy the rows");
    }

    @Override
    public List<CatalogPartitionSpec> listPartitions(ObjectPath path)
            throws TableNotExistException, TableNotPartitionedException {
        if (!tableExists(path)) {
            throw new TableNotExistException(getName(), path);
        }
        throw new TableNotPartitionedException(getName(), path);
    }

    @Override
    public List<CatalogPartitionSpec> listPartitions(ObjectPath path, CatalogPartitionSpec spec)
            throws TableNotExistException, TableNotPartitionedException {
        return listPartitions(path);
    }

    @Override
    public List<CatalogPartitionSpec> listPartitionsByFilter(
            ObjectPath path, List<Expression> filters)
            throws TableNotExistException, TableNotPartitionedException {
        return listPartitions(path);
    }

    @Override
    public CatalogPartition getPartition(ObjectPath path, CatalogPartitionSpec spec)
            throws PartitionNotExistException {
        throw new PartitionNotExistException(getName(), path, spec);
    }

    @Override
    public boolean partitionExists(ObjectPath path, CatalogPartitionSpec spec) {
        return false;
    }

    @Override
    public void createPartition(
            ObjectPath path,
            CatalogPartitionSpec spec,
            CatalogPartition partition,
            boolean ignoreIfExists) {
        throw unsupported("ADD PARTITION", "leave it out: tables have no partitions yet");
    }

    @Override
    public void dropPartition(
            ObjectPath path, CatalogPartitionSpec spec, boolean ignoreIfNotExists) {
        throw unsupported("DROP PARTITION", "leave it out: tables have no partitions yet");
    }

    @Override
    public void alterPartition(
            ObjectPath path,
            CatalogPartitionSpec spec,
            CatalogPartition partition,
            boolean ignoreIfNotExists) {
        throw unsupported("ALTER PARTITION", "leave it out: tables have no partitions yet");
    }

    @Override
    public List<String> listFunctions(String database) {
        return List.of();
    }

    @Override
    public CatalogFunction getFunction(ObjectPath path) throws FunctionNotExistException {
        throw new FunctionNotExistException(getName(), path);
    }

    @Override
    public boolean functionExists(ObjectPath path) {
        return false;
    }

    @Override
    public void createFunction(ObjectPath path, CatalogFunction function, boolean ignoreIfExists) {
        throw unsupported("CREATE FUNCTION", "create it as TEMPORARY or in another catalog");
    }

    @Override
    public void alterFunction(
            ObjectPath path, CatalogFunction function, boolean ignoreIfNotExists) {
        throw unsupported("ALTER FUNCTION", "functions live in another catalog");
    }

    @Override
    public void dropFunction(ObjectPath path, boolean ignoreIfNotExists)
            throws FunctionNotExistException {
        if (!ignoreIfNotExists) {
            throw new FunctionNotExistException(getName(), path);
        }
    }

    @Override
    public CatalogTableStatistics getTableStatistics(ObjectPath path) {
        return CatalogTableStatistics.UNKNOWN;
    }

    @Override
    public CatalogColumnStatistics getTableColumnStatistics(ObjectPath path) {
        return CatalogColumnStatistics.UNKNOWN;
    }

    @Override
    public CatalogTableStatistics getPartitionStatistics(
            ObjectPath path, CatalogPartitionSpec spec) {
        return CatalogTableStatistics.UNKNOWN;
    }

    @Override
    public CatalogColumnStatistics getPartitionColumnStatistics(
            ObjectPath path, CatalogPartitionSpec spec) {
        return CatalogColumnStatistics.UNKNOWN;
    }

    @Override
    public void alterTableStatistics(
            ObjectPath path, CatalogTableStatistics statistics, boolean ignoreIfNotExists) {
        throw unsupported("ANALYZE TABLE", "leave it out: statistics come from the service");
    }

    @Override
    public void alterTableColumnStatistics(
            ObjectPath path, CatalogColumnStatistics statistics, boolean ignoreIfNotExists) {
        throw unsupported("ANALYZE TABLE", "leave it out: statistics come from the service");
    }

    @Override
    public void alterPartitionStatistics(
            ObjectPath path,
            CatalogPartitionSpec spec,
            CatalogTableStatistics statistics,
            boolean ignoreIfNotExists) {
        throw unsupported("ANALYZE TABLE", "leave it out: statistics come from the service");
    }

    @Override
    public void alterPartitionColumnStatistics(
            ObjectPath path,
            CatalogPartitionSpec spec,
            CatalogColumnStatistics statistics,
            boolean ignoreIfNotExists) {
        throw unsupported("ANALYZE TABLE", "leave it out: statistics come from the service");
    }

    private UnsupportedOperationException unsupported(String statement, String instead) {
        return new UnsupportedOperationException(
                String.format(
                        "catalog %s (type 'fluss') does not support %s; %s",
                        getName(), statement, instead));
    }
}

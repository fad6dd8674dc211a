package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.table.TableRules;
import io.flinkfluss.storage.server.metadata.MetadataAnswer;
import io.flinkfluss.storage.server.metadata.MetadataCommand;
import io.flinkfluss.storage.server.runtime.DiskGuard;
import java.util.List;
import java.util.Map;

/** Databases and tables of the metadata group. */
final class LocalTableAdmin implements TableAdmin {
    private final Metadata metadata;
    private final Shards shards;
    private final DiskGuard disk;
    private final TableRules.Service service;

    LocalTableAdmin(Metadata metadata, Shards shards, DiskGuard disk, TableRules.Service service) {
        this.metadata = metadata;
        this.shards = shards;
        this.disk = disk;
        this.service = service;
    }

    @Override
    public List<String> databases() {
        return metadata.current().databases();
    }

    @Override
    public DatabaseInfo database(String name) {
        return metadata.current().database(name);
    }

    @Override
    public void createDatabase(String name, String comment, Map<String, String> properties) {
        TableRules.checkDatabaseName(name);
        disk.checkWritable();
        metadata.change(
                new MetadataCommand.CreateDatabase(name, comment, properties),
                MetadataAnswer.Done.class);
    }

    @Override
    public void dropDatabase(String name, DropMode mode) {
        MetadataAnswer.Dropped dropped =
                metadata.change(
                        new MetadataCommand.DropDatabase(name, mode), MetadataAnswer.Dropped.class);
        shards.drop(dropped.tables());
    }

    @Override
    public List<String> tables(String database) {
        return metadata.current().tables(database);
    }

    @Override
    public TableInfo table(TablePath path) {
        return metadata.current().table(path);
    }

    @Override
    public TableInfo createTable(TablePath path, TableDescriptor descriptor) {
        TableDescriptor checked = TableRules.check(path, descriptor, service);
        disk.checkWritable();
        return metadata.change(
                        new MetadataCommand.CreateTable(path, checked),
                        MetadataAnswer.Created.class)
                .table();
    }

    @Override
    public void dropTable(TablePath path) {
        MetadataAnswer.Dropped dropped =
                metadata.change(new MetadataCommand.DropTable(path), MetadataAnswer.Dropped.class);
        shards.drop(dropped.tables());
    }

    @Override
    public Map<String, String> lakeSettings() {
        return service.lakeSettings();
    }
}

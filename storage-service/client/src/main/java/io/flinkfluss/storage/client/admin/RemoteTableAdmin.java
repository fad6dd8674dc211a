package io.flinkfluss.storage.client.admin;

import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.table.DatabaseInfo;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import io.flinkfluss.storage.api.wire.CatalogOperation;
import io.flinkfluss.storage.client.routing.Cluster;
import java.util.List;
import java.util.Map;

/** {@link TableAdmin} over the wire. */
public final class RemoteTableAdmin implements TableAdmin {
    private final Cluster cluster;

    public RemoteTableAdmin(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public List<String> databases() {
        return cluster.call(new CatalogOperation.ListDatabases());
    }

    @Override
    public DatabaseInfo database(String name) {
        return cluster.call(new CatalogOperation.GetDatabase(name));
    }

    @Override
    public void createDatabase(String name, String comment, Map<String, String> properties) {
        cluster.call(new CatalogOperation.CreateDatabase(name, comment, properties));
    }

    @Override
    public void dropDatabase(String name, DropMode mode) {
        cluster.call(new CatalogOperation.DropDatabase(name, mode));
    }

    @Override
    public List<String> tables(String database) {
        return cluster.call(new CatalogOperation.ListTables(database));
    }

    @Override
    public TableInfo table(TablePath path) {
        return cluster.call(new CatalogOperation.GetTable(path));
    }

    @Override
    public TableInfo createTable(TablePath path, TableDescriptor descriptor) {
        return cluster.call(new CatalogOperation.CreateTable(path, descriptor));
    }

    @Override
    public void dropTable(TablePath path) {
        cluster.call(new CatalogOperation.DropTable(path));
    }

    @Override
    public Map<String, String> lakeSettings() {
        return cluster.call(new CatalogOperation.LakeSettings());
    }
}

package io.flinkfluss.lake.iceberg;

import io.flinkfluss.lake.LakeMaintenance;
import io.flinkfluss.storage.api.table.TableInfo;
import org.apache.iceberg.Table;

final class IcebergMaintenance implements LakeMaintenance {
    private final Table table;
    private final TableInfo info;

    IcebergMaintenance(Table table, TableInfo info) {
        this.table = table;
        this.info = info;
    }

    @Override
    public Report run() {
        return new Report(0, 0, table.name().isEmpty() || info.hasPrimaryKey() ? 0 : 0);
    }
}

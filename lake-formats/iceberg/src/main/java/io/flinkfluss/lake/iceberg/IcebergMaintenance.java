package io.flinkfluss.lake.iceberg;

import io.flinkfluss.lake.LakeMaintenance;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TableOption;
import java.time.Clock;
import java.time.Duration;
import org.apache.iceberg.Table;

/** Compaction, snapshot expiry and orphan clean-up of one table. */
final class IcebergMaintenance implements LakeMaintenance {
    private final Table table;
    private final TableInfo info;
    private final Clock clock;

    IcebergMaintenance(Table table, TableInfo info, Clock clock) {
        this.table = table;
        this.info = info;
        this.clock = clock;
    }

    @Override
    public Report tidy() {
        try {
            int merged =
                    isOn(TableOption.DATALAKE_AUTO_COMPACTION)
                            ? new Compaction(table, info).run()
                            : 0;
            int expired =
                    isOn(TableOption.DATALAKE_AUTO_EXPIRE)
                            ? new SnapshotExpiry(table, info.id()).run(clock.millis())
                            : 0;
            return new Report(merged, expired);
        } catch (RuntimeException e) {
            throw IcebergErrors.of("tidy lake table " + info.path(), e);
        }
    }

    private boolean isOn(TableOption option) {
        return Boolean.parseBoolean(info.descriptor().option(option));
    }

    @Override
    public int deleteOrphans(Duration age) {
        try {
            return new OrphanFiles(table, info.id()).delete(clock.millis() - age.toMillis());
        } catch (RuntimeException e) {
            throw IcebergErrors.of("clean up lake table " + info.path(), e);
        }
    }
}

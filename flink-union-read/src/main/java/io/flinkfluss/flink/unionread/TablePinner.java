package io.flinkfluss.flink.unionread;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.flink.unionread.plan.PinnedTable;
import io.flinkfluss.flink.unionread.plan.UnionPlan;
import io.flinkfluss.flink.unionread.plan.UnionScan;
import io.flinkfluss.flink.unionread.split.UnionSplit;
import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeFormats;
import io.flinkfluss.lake.LakeReader;
import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.lake.LakeSplit;
import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.List;
import java.util.Optional;

/**
 * Looks at both tiers and plans. The lake is asked first, then the log's ends: so a row that is
 * tiered in between is read from the log, never missed and never read twice.
 */
final class TablePinner {
    private static final int ATTEMPTS = 3;

    private final UnionScan scan;
    private final TableInfo table;

    TablePinner(UnionScan scan) {
        this.scan = scan;
        this.table = scan.table();
    }

    /**
     * @throws StorageException SNAPSHOT_NOT_FOUND when the lake expired three newest snapshots in a
     *     row while they were planned
     */
    List<UnionSplit> plan() {
        try (LakeCatalog lake = LakeFormats.open(scan.lakeSettings())) {
            for (int attempt = 1; ; attempt++) {
                try {
                    return plan(lake);
                } catch (StorageException e) {
                    if (e.code() != ErrorCode.SNAPSHOT_NOT_FOUND || attempt == ATTEMPTS) {
                        throw e;
                    }
                }
            }
        }
    }

    private List<UnionSplit> plan(LakeCatalog lake) {
        Optional<LakeSnapshot> snapshot = lake.latestSnapshot(table);
        LakeReader reader = lake.reader(table);
        List<LakeSplit> lakeSplits =
                snapshot.map(found -> reader.plan(found, scan.projection())).orElse(List.of());
        return switch (scan.tiers()) {
            case LAKE -> UnionPlan.lakeOnly(lakeSplits);
            case BOUNDED -> UnionPlan.bounded(pin(snapshot, lakeSplits));
            case UNBOUNDED -> UnionPlan.unbounded(pin(snapshot, lakeSplits));
        };
    }

    private PinnedTable pin(Optional<LakeSnapshot> snapshot, List<LakeSplit> lakeSplits) {
        try (Connection connection = Connections.acquire(scan.connection())) {
            LogReader log = connection.service().logReader();
            return new PinnedTable(
                    table,
                    snapshot,
                    lakeSplits,
                    log.offsets(table.buckets(), new OffsetSpec.Earliest()),
                    log.offsets(table.buckets(), new OffsetSpec.Latest()));
        }
    }
}

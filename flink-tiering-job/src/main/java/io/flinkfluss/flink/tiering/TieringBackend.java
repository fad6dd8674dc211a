package io.flinkfluss.flink.tiering;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.flink.tiering.commit.CommittedRound;
import io.flinkfluss.flink.tiering.commit.RoundCommit;
import io.flinkfluss.flink.tiering.plan.Round;
import io.flinkfluss.flink.tiering.plan.RoundPlanner;
import io.flinkfluss.flink.tiering.write.WrittenBucket;
import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeFormats;
import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.record.OffsetSpec;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TablePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the enumerator asks of the storage service and the lake; each call may block up to the
 * request deadline. One call at a time, except that {@link #close} may come from another thread.
 * Connects with the first call, and again with the next one when that failed; {@link #close} waits
 * for neither.
 */
final class TieringBackend implements AutoCloseable {
    private final TieringOptions options;
    private Connection connection;
    private LakeCatalog lake;
    private Map<String, String> lakeSettings = Map.of();
    private boolean closed;

    TieringBackend(TieringOptions options) {
        this.options = options;
    }

    /** Every table that is to be tiered. */
    List<TableInfo> lakeTables() {
        TableAdmin admin = service().admin();
        List<TableInfo> tables = new ArrayList<>();
        for (String database : admin.databases()) {
            for (String name : admin.tables(database)) {
                try {
                    TableInfo table = admin.table(new TablePath(database, name));
                    if (table.descriptor().lakeEnabled()) {
                        tables.add(table);
                    }
                } catch (StorageException e) {
                    if (e.code() != ErrorCode.TABLE_NOT_FOUND) {
                        throw e;
                    }
                }
            }
        }
        return tables;
    }

    /**
     * The next round of a table, planned from what is in the lake; empty when nothing is new.
     *
     * @param lastEnds where this job's own last round ended, if the service knows of it: when the
     *     logs end there too, the lake need not be asked
     */
    Optional<Round> plan(TableInfo table, Map<BucketId, Long> lastEnds) {
        StorageService service = service();
        List<BucketId> buckets = table.buckets();
        Map<BucketId, Long> ends = service.logReader().offsets(buckets, new OffsetSpec.Latest());
        if (ends.equals(lastEnds)) {
            return Optional.empty();
        }
        Optional<LakeSnapshot> newest = lake().latestSnapshot(table);
        Optional<LakeTiering> registered = service.lakeProgress().latest(table.id());
        if (newest.isPresent()) {
            commits().registerIfBehind(newest.get(), registered);
        } else {
            lake().createTable(table);
        }
        return RoundPlanner.plan(
                table,
                newest,
                registered.isPresent(),
                service.logReader().offsets(buckets, new OffsetSpec.Earliest()),
                ends);
    }

    CommittedRound commit(Round round, List<WrittenBucket> written) {
        return commits().commit(round, written);
    }

    /** Deletes files that will not be committed; the answer means nothing. */
    boolean discard(TableInfo table, List<WrittenBucket> written) {
        lake().committer(table).discard(written.stream().map(WrittenBucket::files).toList());
        return true;
    }

    private RoundCommit commits() {
        StorageService service = service();
        return new RoundCommit(service.admin(), service.lakeProgress(), lake());
    }

    /** What the lake was opened with; empty before the first plan. Does not block. */
    synchronized Map<String, String> lakeSettings() {
        return lakeSettings;
    }

    private StorageService service() {
        synchronized (this) {
            requireOpen();
            if (connection != null) {
                return connection.service();
            }
        }
        Connection connected = Connections.acquire(options.connection());
        synchronized (this) {
            if (!closed) {
                connection = connected;
                return connection.service();
            }
        }
        connected.close();
        throw stopped();
    }

    /** Of the settings, the service has those that the arguments leave open. */
    private LakeCatalog lake() {
        synchronized (this) {
            requireOpen();
            if (lake != null) {
                return lake;
            }
        }
        Map<String, String> settings = options.lakeSettings(service().admin().lakeSettings());
        LakeCatalog opened = LakeFormats.open(settings);
        synchronized (this) {
            if (!closed) {
                lake = opened;
                lakeSettings = settings;
                return lake;
            }
        }
        opened.close();
        throw stopped();
    }

    private void requireOpen() {
        if (closed) {
            throw stopped();
        }
    }

    private static StorageException stopped() {
        return new StorageException(ErrorCode.CLOSED, "the tiering job was stopped");
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (lake != null) {
            lake.close();
        }
        if (connection != null) {
            connection.close();
        }
    }
}

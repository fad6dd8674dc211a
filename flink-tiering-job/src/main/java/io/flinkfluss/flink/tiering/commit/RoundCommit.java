package io.flinkfluss.flink.tiering.commit;

import io.flinkfluss.flink.tiering.plan.BucketRange;
import io.flinkfluss.flink.tiering.plan.Round;
import io.flinkfluss.flink.tiering.write.WrittenBucket;
import io.flinkfluss.lake.LakeCatalog;
import io.flinkfluss.lake.LakeCommitter;
import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.storage.api.LakeProgress;
import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.ErrorKind;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.LakeTiering;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a round, in three steps, each safe to be the last one that happens: the table is
 * checked to be the same, the lake takes the files with the offsets, the storage service is told.
 */
public final class RoundCommit {
    private static final Logger LOG = LoggerFactory.getLogger(RoundCommit.class);

    private final TableAdmin admin;
    private final LakeProgress progress;
    private final LakeCatalog lake;

    public RoundCommit(TableAdmin admin, LakeProgress progress, LakeCatalog lake) {
        this.admin = admin;
        this.progress = progress;
        this.lake = lake;
    }

    /**
     * Commits the round.
     *
     * @param written one per range of {@link Round#work}
     * @throws StorageException when it is not in the lake; the files are deleted unless the outcome
     *     is unknown. STALE_LAKE_PROGRESS: plan again; TABLE_NOT_FOUND: the table is gone
     */
    public CommittedRound commit(Round round, Collection<WrittenBucket> written) {
        Map<BucketId, Long> ends = new TreeMap<>();
        for (BucketRange range : round.ranges()) {
            ends.put(range.bucket(), range.start());
        }
        long newestMillis = 0;
        for (WrittenBucket bucket : written) {
            ends.put(bucket.bucket(), bucket.end());
            newestMillis = Math.max(newestMillis, bucket.newestMillis());
        }
        List<byte[]> files = written.stream().map(WrittenBucket::files).toList();
        LakeCommitter committer = lake.committer(round.table());
        try {
            requireSameTable(round.table());
        } catch (StorageException e) {
            committer.discard(files);
            throw e;
        }
        LakeSnapshot snapshot;
        try {
            snapshot =
                    committer.commit(
                            round.number(), round.startOffsets(), ends, newestMillis, files);
        } catch (StorageException e) {
            if (e.kind() != ErrorKind.OUTCOME_UNKNOWN) {
                committer.discard(files);
            }
            throw e;
        }
        return new CommittedRound(snapshot, tell(snapshot));
    }

    private void requireSameTable(TableInfo planned) {
        TableInfo now = admin.table(planned.path());
        if (!now.id().equals(planned.id())) {
            throw new StorageException(
                    ErrorCode.TABLE_NOT_FOUND,
                    "table "
                            + planned.path()
                            + " was dropped and created again (number "
                            + planned.id()
                            + " is now "
                            + now.id()
                            + "); the round of the old one is discarded");
        }
    }

    /**
     * Registers the lake's newest snapshot if the storage service does not know it, which heals a
     * death between commit and registration.
     */
    public void registerIfBehind(LakeSnapshot newest, Optional<LakeTiering> registered) {
        if (registered.map(LakeTiering::round).orElse(0L) < newest.round()) {
            tell(newest);
        }
    }

    /** A failure here costs nothing: the lake is the truth, and the next plan tells it again. */
    private boolean tell(LakeSnapshot snapshot) {
        try {
            progress.register(snapshot.toTiering());
            return true;
        } catch (StorageException e) {
            LOG.warn(
                    "Round {} of table {} is in the lake, but could not be registered ({}: {}); the"
                            + " next plan registers it",
                    snapshot.round(),
                    snapshot.table(),
                    e.code(),
                    e.getMessage());
            return false;
        }
    }
}

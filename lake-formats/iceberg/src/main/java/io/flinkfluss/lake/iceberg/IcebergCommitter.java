package io.flinkfluss.lake.iceberg;

import io.flinkfluss.lake.LakeCommitter;
import io.flinkfluss.lake.LakeSnapshot;
import io.flinkfluss.lake.SnapshotProperties;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * Commits rounds. The check that the round begins where the lake ends runs inside Iceberg's commit,
 * against the very version the commit is made on, and again on each retry: nothing can slip in
 * between.
 */
final class IcebergCommitter implements LakeCommitter {
    /** Names one call, so that a commit whose answer was lost can be recognised. */
    private static final String COMMIT_ID = "fluss.commit-id";

    private final IcebergLake lake;
    private final TableInfo info;

    IcebergCommitter(IcebergLake lake, TableInfo info) {
        this.lake = lake;
        this.info = info;
    }

    @Override
    public LakeSnapshot commit(
            long round,
            Map<BucketId, Long> startOffsets,
            Map<BucketId, Long> endOffsets,
            long tieredUpToMillis,
            List<byte[]> files) {
        requireForward(startOffsets, endOffsets);
        Table table = lake.require(info);
        WrittenFiles written = WrittenFiles.decode(files, table.specs());
        BeginsAt begin = new BeginsAt(round, new TreeMap<>(startOffsets));
        String commitId = UUID.randomUUID().toString();
        SnapshotUpdate<?> update = updateOf(table, written);
        SnapshotProperties.of(info.id(), round, endOffsets, tieredUpToMillis).forEach(update::set);
        update.set(COMMIT_ID, commitId);
        update.validateWith(begin);
        RuntimeException failure = null;
        try {
            update.commit();
        } catch (RuntimeException e) {
            failure = e;
        }
        return outcome(commitId, begin, failure);
    }

    private static SnapshotUpdate<?> updateOf(Table table, WrittenFiles written) {
        if (written.deletes().isEmpty()) {
            AppendFiles append = table.newAppend();
            written.data().forEach(append::appendFile);
            return append;
        }
        RowDelta delta = table.newRowDelta();
        written.data().forEach(delta::addRows);
        written.deletes().forEach(delta::addDeletes);
        return delta;
    }

    /** What the lake says happened, whatever the call said. */
    private LakeSnapshot outcome(String commitId, BeginsAt begin, RuntimeException failure) {
        Optional<LakeSnapshot> committed;
        try {
            committed = find(commitId);
        } catch (RuntimeException e) {
            if (failure != null) {
                e.addSuppressed(failure);
            }
            throw unknown(begin.round, "the lake could not be asked: " + e.getMessage(), e);
        }
        if (committed.isPresent()) {
            return committed.get();
        }
        if (failure == null) {
            throw unknown(begin.round, "the lake accepted it and does not show it", null);
        }
        if (failure instanceof ValidationException && begin.mismatch != null) {
            throw new StorageException(
                    ErrorCode.STALE_LAKE_PROGRESS,
                    "round "
                            + begin.round
                            + " of table "
                            + info.path()
                            + " was not committed: "
                            + begin.mismatch
                            + ". Discard its files and plan the next round from the newest"
                            + " snapshot",
                    failure);
        }
        if (failure instanceof CommitFailedException || failure instanceof ValidationException) {
            throw new StorageException(
                    ErrorCode.BUSY,
                    "round "
                            + begin.round
                            + " of table "
                            + info.path()
                            + " was not committed: "
                            + failure.getMessage()
                            + ". Nothing was changed; it may be tried again",
                    failure);
        }
        throw unknown(begin.round, failure.getMessage(), failure);
    }

    private StorageException unknown(long round, String why, RuntimeException cause) {
        return new StorageException(
                ErrorCode.TIMEOUT,
                "whether round "
                        + round
                        + " of table "
                        + info.path()
                        + " was committed is not known: "
                        + why
                        + ". Keep its files and ask the lake for its newest snapshot before the next"
                        + " round",
                cause);
    }

    private Optional<LakeSnapshot> find(String commitId) {
        for (Snapshot snapshot : SnapshotUtil.currentAncestors(lake.require(info))) {
            if (commitId.equals(snapshot.summary().get(COMMIT_ID))) {
                return SnapshotProperties.read(
                        snapshot.snapshotId(), snapshot.timestampMillis(), snapshot.summary());
            }
        }
        return Optional.empty();
    }

    private static void requireForward(
            Map<BucketId, Long> startOffsets, Map<BucketId, Long> endOffsets) {
        startOffsets.forEach(
                (bucket, start) -> {
                    Long end = endOffsets.get(bucket);
                    if (end == null || end < start) {
                        throw new StorageException(
                                ErrorCode.INVALID_REQUEST,
                                "a round must end at or after its start in every bucket: bucket "
                                        + bucket
                                        + " starts at "
                                        + start
                                        + " and ends at "
                                        + end);
                    }
                });
    }

    @Override
    public void discard(List<byte[]> files) {
        try {
            Table table = lake.require(info);
            WrittenFiles written = WrittenFiles.decode(files, table.specs());
            written.data().forEach(file -> delete(table, file.location()));
            written.deletes().forEach(file -> delete(table, file.location()));
        } catch (RuntimeException e) {
            // the orphan clean-up deletes them, or they went with the table
        }
    }

    private static void delete(Table table, String location) {
        try {
            table.io().deleteFile(location);
        } catch (RuntimeException e) {
            // the orphan clean-up deletes it
        }
    }

    /** Holds when the newest snapshot of ours is the one this round continues. */
    private final class BeginsAt implements SnapshotAncestryValidator {
        private final long round;
        private final Map<BucketId, Long> startOffsets;
        private String mismatch;

        private BeginsAt(long round, Map<BucketId, Long> startOffsets) {
            this.round = round;
            this.startOffsets = startOffsets;
        }

        @Override
        public boolean validate(Iterable<Snapshot> ancestors) {
            Optional<LakeSnapshot> newest =
                    TieredSnapshots.newest(ancestors, info.id(), info.path().toString());
            long newestRound = newest.map(LakeSnapshot::round).orElse(0L);
            Map<BucketId, Long> ends = newest.map(LakeSnapshot::endOffsets).orElse(Map.of());
            mismatch =
                    newestRound == round - 1 && ends.equals(startOffsets)
                            ? null
                            : "it begins after round "
                                    + (round - 1)
                                    + " at offsets "
                                    + startOffsets
                                    + ", but the newest snapshot in the lake is of round "
                                    + newestRound
                                    + " and ends at "
                                    + ends;
            return mismatch == null;
        }

        @Override
        public String errorMessage() {
            return mismatch;
        }
    }
}

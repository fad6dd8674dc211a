package io.flinkfluss.flink.source.enumerator;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.connection.Connections;
import io.flinkfluss.flink.options.ConnectionOptions;
import io.flinkfluss.flink.source.split.FlussSplit;
import io.flinkfluss.flink.source.split.StateReadEvent;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import javax.annotation.Nullable;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flink's side of {@link SplitTracker}. {@link #start} pins all offsets before anything else can
 * happen, so the very first checkpoint has them, whether or not a row was read.
 */
public final class FlussSourceEnumerator implements SplitEnumerator<FlussSplit, EnumeratorState> {
    private static final Logger LOG = LoggerFactory.getLogger(FlussSourceEnumerator.class);

    private final SplitEnumeratorContext<FlussSplit> context;
    private final ConnectionOptions options;
    private final TableInfo table;
    private final SplitPlan plan;
    private SplitTracker tracker;
    private Connection connection;

    /**
     * Does not connect yet: Flink calls this on a thread that serves the whole job.
     *
     * @param restored the checkpoint to go on from; null to begin
     * @throws StorageException when the checkpoint belongs to another table
     */
    public FlussSourceEnumerator(
            SplitEnumeratorContext<FlussSplit> context,
            ConnectionOptions options,
            TableInfo table,
            SplitPlan plan,
            @Nullable EnumeratorState restored) {
        this.context = context;
        this.options = options;
        this.table = table;
        this.plan = plan;
        if (restored != null) {
            if (!restored.table().equals(table.id())) {
                throw new StorageException(
                        ErrorCode.INVALID_REQUEST,
                        "the checkpoint reads the table with id "
                                + restored.table()
                                + ", but "
                                + table.path()
                                + " now has the id "
                                + table.id()
                                + ": it was dropped and created again. Start the job without the checkpoint");
            }
            tracker = new SplitTracker(restored);
        }
    }

    @Override
    public void start() {
        connection = Connections.acquire(options);
        if (tracker == null) {
            tracker = new SplitTracker(table.id(), plan.splits(connection.service(), table));
        }
    }

    @Override
    public void addReader(int subtask) {
        List<FlussSplit> splits = tracker.takeFor(subtask, context.currentParallelism());
        if (!splits.isEmpty()) {
            context.assignSplits(new SplitsAssignment<>(Map.of(subtask, splits)));
        }
        context.signalNoMoreSplits(subtask);
    }

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {
        // readers get all of their splits when they register
    }

    @Override
    public void addSplitsBack(List<FlussSplit> splits, int subtask) {
        tracker.giveBack(splits);
    }

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
        if (event instanceof StateReadEvent read) {
            tracker.stateRead(read.bucket());
        }
    }

    @Override
    public EnumeratorState snapshotState(long checkpointId) {
        return tracker.checkpoint(checkpointId);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        OptionalLong snapshotId = tracker.releasableAfter(checkpointId);
        if (snapshotId.isPresent()) {
            context.callAsync(
                    () -> {
                        release(snapshotId.getAsLong());
                        return null;
                    },
                    (done, error) -> {});
        }
    }

    @Override
    public void close() {
        if (connection == null) {
            return;
        }
        try {
            if (tracker != null) {
                tracker.releasableAtEnd().ifPresent(this::release);
            }
        } finally {
            connection.close();
        }
    }

    /** Best effort: the service frees a forgotten snapshot by itself. */
    private void release(long snapshotId) {
        try {
            connection
                    .service()
                    .kvReader()
                    .release(new KvSnapshot(table.id(), snapshotId, Map.of(), Map.of()));
        } catch (StorageException e) {
            LOG.warn(
                    "Snapshot {} of table {} could not be released; it is freed after its time: {}",
                    snapshotId,
                    table.path(),
                    e.getMessage());
        }
    }
}

package io.flinkfluss.flink.source.enumerator;

import io.flinkfluss.flink.connection.Connection;
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

/**
 * Flink's side of {@link SplitTracker}. {@link #start} pins all offsets before anything else can
 * happen, so the very first checkpoint has them, whether or not a row was read.
 */
public final class FlussSourceEnumerator implements SplitEnumerator<FlussSplit, EnumeratorState> {
    private final SplitEnumeratorContext<FlussSplit> context;
    private final Connection connection;
    private final TableInfo table;
    private final SplitPlan plan;
    private SplitTracker tracker;

    /**
     * @param restored the checkpoint to go on from; null to begin
     * @throws StorageException when the checkpoint belongs to another table
     */
    public FlussSourceEnumerator(
            SplitEnumeratorContext<FlussSplit> context,
            Connection connection,
            TableInfo table,
            SplitPlan plan,
            @Nullable EnumeratorState restored) {
        this.context = context;
        this.connection = connection;
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
        release(tracker.releasableAfter(checkpointId));
    }

    @Override
    public void close() {
        try {
            if (tracker != null) {
                release(tracker.releasableAtEnd());
            }
        } finally {
            connection.close();
        }
    }

    private void release(OptionalLong snapshotId) {
        if (snapshotId.isPresent()) {
            KvSnapshot snapshot =
                    new KvSnapshot(table.id(), snapshotId.getAsLong(), Map.of(), Map.of());
            connection.service().kvReader().release(snapshot);
        }
    }
}

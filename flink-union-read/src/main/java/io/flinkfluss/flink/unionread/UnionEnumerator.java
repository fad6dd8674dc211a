package io.flinkfluss.flink.unionread;

import io.flinkfluss.flink.unionread.plan.UnionScan;
import io.flinkfluss.flink.unionread.split.PlannedSplits;
import io.flinkfluss.flink.unionread.split.UnionSplit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * Plans once, on a thread of its own, then hands out splits: a bounded read's one by one to whoever
 * asks, an unbounded read's each to the reader of its bucket.
 */
final class UnionEnumerator implements SplitEnumerator<UnionSplit, PlannedSplits> {
    private final SplitEnumeratorContext<UnionSplit> context;
    private final UnionScan scan;
    private final List<UnionSplit> waiting;
    private final TreeSet<Integer> asking = new TreeSet<>();
    private boolean planned;

    UnionEnumerator(
            SplitEnumeratorContext<UnionSplit> context, UnionScan scan, PlannedSplits state) {
        this.context = context;
        this.scan = scan;
        this.planned = state.planned();
        this.waiting = new ArrayList<>(state.waiting());
    }

    @Override
    public void start() {
        if (!planned) {
            context.callAsync(() -> new TablePinner(scan).plan(), this::takePlan);
        }
    }

    private void takePlan(List<UnionSplit> splits, Throwable failure) {
        if (failure != null) {
            throw new FlinkRuntimeException(
                    "cannot plan the read of table "
                            + scan.table().path()
                            + ": "
                            + failure.getMessage(),
                    failure);
        }
        planned = true;
        waiting.addAll(splits);
        assign();
    }

    @Override
    public void handleSplitRequest(int subtask, String host) {
        asking.add(subtask);
        assign();
    }

    @Override
    public void addReader(int subtask) {
        assign();
    }

    @Override
    public void addSplitsBack(List<UnionSplit> splits, int subtask) {
        asking.remove(subtask);
        waiting.addAll(splits);
        assign();
    }

    private void assign() {
        if (!planned) {
            return;
        }
        if (scan.tiers() == UnionScan.Tiers.UNBOUNDED) {
            assignToOwners();
        } else {
            assignToAsking();
        }
    }

    private void assignToAsking() {
        for (Iterator<Integer> readers = asking.iterator(); readers.hasNext(); ) {
            int reader = readers.next();
            readers.remove();
            if (!context.registeredReaders().containsKey(reader)) {
                continue;
            }
            if (waiting.isEmpty()) {
                context.signalNoMoreSplits(reader);
            } else {
                context.assignSplit(waiting.remove(0), reader);
            }
        }
    }

    private void assignToOwners() {
        for (Iterator<UnionSplit> splits = waiting.iterator(); splits.hasNext(); ) {
            UnionSplit split = splits.next();
            int owner =
                    split.log().get(0).bucket().bucket()
                            % Math.max(1, context.currentParallelism());
            if (context.registeredReaders().containsKey(owner)) {
                splits.remove();
                context.assignSplit(split, owner);
            }
        }
    }

    @Override
    public PlannedSplits snapshotState(long checkpointId) {
        return new PlannedSplits(planned, waiting);
    }

    @Override
    public void close() {}
}

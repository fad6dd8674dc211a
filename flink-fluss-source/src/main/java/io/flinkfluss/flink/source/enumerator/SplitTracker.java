package io.flinkfluss.flink.source.enumerator;

import io.flinkfluss.flink.source.split.FlussSplit;
import io.flinkfluss.flink.source.split.KvSplit;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which splits wait for a reader, and whether the snapshot is still needed. Plain bookkeeping: no
 * Flink machinery, no I/O; used by one thread.
 */
final class SplitTracker {
    private static final long NEVER = Long.MAX_VALUE;

    private final TableId table;
    private final TreeMap<BucketId, FlussSplit> waiting = new TreeMap<>();
    private final Set<BucketId> readingState = new TreeSet<>();
    private long snapshotId = EnumeratorState.NO_SNAPSHOT;
    private long checkpointAfterState = NEVER;

    SplitTracker(TableId table, Collection<? extends FlussSplit> planned) {
        this.table = table;
        for (FlussSplit split : planned) {
            waiting.put(split.bucket(), split);
            if (split instanceof KvSplit kv) {
                snapshotId = kv.snapshotId();
                readingState.add(kv.bucket());
            }
        }
    }

    SplitTracker(EnumeratorState state) {
        table = state.table();
        state.waiting().forEach(split -> waiting.put(split.bucket(), split));
        readingState.addAll(state.readingState());
        snapshotId = state.snapshotId();
    }

    /**
     * Takes the waiting splits of one subtask: buckets go round-robin, so the same parallelism
     * gives the same assignment.
     */
    List<FlussSplit> takeFor(int subtask, int parallelism) {
        List<FlussSplit> taken =
                waiting.values().stream()
                        .filter(split -> owner(split.bucket(), parallelism) == subtask)
                        .toList();
        taken.forEach(split -> waiting.remove(split.bucket()));
        return taken;
    }

    /** A failed reader's splits wait again. */
    void giveBack(List<FlussSplit> splits) {
        splits.forEach(split -> waiting.put(split.bucket(), split));
    }

    /** A bucket's rows of the snapshot were all emitted. */
    void stateRead(BucketId bucket) {
        readingState.remove(bucket);
    }

    EnumeratorState checkpoint(long checkpointId) {
        if (isSnapshotIdle() && checkpointAfterState == NEVER) {
            checkpointAfterState = checkpointId;
        }
        return new EnumeratorState(
                table, new ArrayList<>(waiting.values()), snapshotId, readingState);
    }

    /**
     * The snapshot to release now, once: nobody reads it, and neither will a job that is restored
     * from this checkpoint.
     */
    OptionalLong releasableAfter(long completedCheckpoint) {
        return completedCheckpoint >= checkpointAfterState ? release() : OptionalLong.empty();
    }

    /** The snapshot to release at the end of the job, if every bucket of it was read. */
    OptionalLong releasableAtEnd() {
        return isSnapshotIdle() ? release() : OptionalLong.empty();
    }

    private OptionalLong release() {
        OptionalLong released = OptionalLong.of(snapshotId);
        snapshotId = EnumeratorState.NO_SNAPSHOT;
        checkpointAfterState = NEVER;
        return released;
    }

    private boolean isSnapshotIdle() {
        return snapshotId != EnumeratorState.NO_SNAPSHOT && readingState.isEmpty();
    }

    private static int owner(BucketId bucket, int parallelism) {
        return Math.floorMod(31 * Long.hashCode(bucket.partition()) + bucket.bucket(), parallelism);
    }
}

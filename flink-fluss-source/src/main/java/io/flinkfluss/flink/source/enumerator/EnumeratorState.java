package io.flinkfluss.flink.source.enumerator;

import io.flinkfluss.flink.source.split.FlussSplit;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the enumerator checkpoints. It exists only after the offsets of every bucket were pinned, so
 * a restored job never resolves its startup mode again.
 *
 * @param waiting splits that no reader has
 * @param snapshotId the snapshot that splits read from; -1 for none
 * @param readingState buckets that may still need the snapshot
 */
public record EnumeratorState(
        TableId table, List<FlussSplit> waiting, long snapshotId, Set<BucketId> readingState) {
    static final long NO_SNAPSHOT = -1;

    public EnumeratorState {
        waiting = List.copyOf(waiting);
        readingState = Collections.unmodifiableSet(new TreeSet<>(readingState));
    }
}

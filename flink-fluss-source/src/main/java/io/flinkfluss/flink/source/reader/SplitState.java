package io.flinkfluss.flink.source.reader;

import io.flinkfluss.flink.source.shape.OpenUpdate;
import io.flinkfluss.flink.source.split.FlussSplit;
import io.flinkfluss.flink.source.split.KvSplit;
import io.flinkfluss.flink.source.split.LogSplit;
import io.flinkfluss.storage.api.table.BucketId;

/** How far the rows of a split were emitted; turns into the split that reads the rest. */
final class SplitState {
    private final BucketId bucket;
    private final long stopOffset;
    private final OpenUpdate open = new OpenUpdate();
    private KvSplit state;
    private long nextOffset;

    SplitState(FlussSplit split) {
        bucket = split.bucket();
        if (split instanceof KvSplit kv) {
            state = kv;
            nextOffset = kv.logOffset();
            stopOffset = kv.stopOffset();
        } else {
            LogSplit log = (LogSplit) split;
            nextOffset = log.startOffset();
            stopOffset = log.stopOffset();
        }
    }

    BucketId bucket() {
        return bucket;
    }

    OpenUpdate open() {
        return open;
    }

    /** Whether the rows of the snapshot are not yet all emitted. */
    boolean readsState() {
        return state != null;
    }

    /** Takes notice that the batch was emitted up to its position. */
    void emitted(ScannedBatch batch) {
        if (batch.head().isLog()) {
            nextOffset = batch.head().offset(batch.position());
        } else if (state != null && batch.end() > 0) {
            state =
                    batch.isReadThrough()
                            ? resume(batch.lastKey(), 0)
                            : resume(batch.afterKey(), batch.position());
        }
    }

    /** Takes notice that the snapshot is read: from now on this is a split of the log. */
    void stateDone() {
        state = null;
    }

    FlussSplit toSplit() {
        return state != null
                ? state
                : new LogSplit(bucket, open.resumeOffset(nextOffset), stopOffset);
    }

    private KvSplit resume(byte[] afterKey, long rowsToSkip) {
        return new KvSplit(
                bucket, state.snapshotId(), afterKey, rowsToSkip, state.logOffset(), stopOffset);
    }
}

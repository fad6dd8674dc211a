package io.flinkfluss.flink.source.reader;

import io.flinkfluss.flink.source.split.FlussSplit;
import io.flinkfluss.flink.source.split.KvSplit;
import io.flinkfluss.flink.source.split.LogSplit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsBySplits;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;

/** Runs the scans of a subtask's splits, on its fetcher thread. */
final class FlussSplitReader implements SplitReader<ScannedBatch, FlussSplit> {
    private final BucketScans scans;
    private final long limit;
    private final Map<String, KvSplit> inState = new HashMap<>();
    private final Map<String, Long> rowsGiven = new HashMap<>();

    /**
     * @param limit rows after which a split ends
     */
    FlussSplitReader(BucketScans scans, long limit) {
        this.scans = scans;
        this.limit = limit;
    }

    @Override
    public RecordsWithSplitIds<ScannedBatch> fetch() throws IOException {
        Optional<ScannedBatch> next;
        try {
            next = scans.next();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for rows");
        }
        if (next.isEmpty()) {
            return new RecordsBySplits<>(Map.of(), Set.of());
        }
        ScannedBatch batch = next.get();
        applyLimit(batch);
        boolean finished = batch.isLast() && !continueWithLog(batch);
        return new FetchedBatch(batch, finished ? Set.of(batch.splitId()) : Set.of());
    }

    private void applyLimit(ScannedBatch batch) {
        if (limit == Long.MAX_VALUE) {
            return;
        }
        int rows = batch.end() - batch.position();
        long given = rowsGiven.merge(batch.splitId(), (long) rows, Long::sum);
        if (given >= limit) {
            batch.endAfter((int) (rows - (given - limit)));
            scans.remove(batch.splitId());
            inState.remove(batch.splitId());
        }
    }

    /** After the rows of a snapshot comes the changelog from its offset on. */
    private boolean continueWithLog(ScannedBatch batch) {
        KvSplit split = batch.head().isLog() ? null : inState.remove(batch.splitId());
        if (split == null || split.logOffset() == split.stopOffset()) {
            return false;
        }
        scans.addLog(new LogSplit(split.bucket(), split.logOffset(), split.stopOffset()));
        return true;
    }

    @Override
    public void handleSplitsChanges(SplitsChange<FlussSplit> change) {
        for (FlussSplit split : change.splits()) {
            if (!(change instanceof SplitsAddition)) {
                scans.remove(split.splitId());
            } else if (split instanceof KvSplit kv) {
                inState.put(kv.splitId(), kv);
                scans.addState(kv);
            } else {
                scans.addLog((LogSplit) split);
            }
        }
    }

    @Override
    public void pauseOrResumeSplits(
            Collection<FlussSplit> toPause, Collection<FlussSplit> toResume) {
        toPause.forEach(split -> scans.pause(split.splitId()));
        toResume.forEach(split -> scans.resume(split.splitId()));
    }

    @Override
    public void wakeUp() {
        scans.wakeUp();
    }

    @Override
    public void close() {
        scans.close();
    }
}

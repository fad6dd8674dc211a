package io.flinkfluss.flink.source.reader;

import java.util.Set;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;

/** One scanned batch on its way from the fetcher to the task; the batch is the record. */
final class FetchedBatch implements RecordsWithSplitIds<ScannedBatch> {
    private final ScannedBatch batch;
    private final Set<String> finished;
    private boolean begun;

    FetchedBatch(ScannedBatch batch, Set<String> finished) {
        this.batch = batch;
        this.finished = finished;
    }

    @Override
    public String nextSplit() {
        if (begun) {
            return null;
        }
        begun = true;
        return batch.splitId();
    }

    /** The same batch again and again, until its reader has advanced it to its end. */
    @Override
    public ScannedBatch nextRecordFromSplit() {
        return batch.hasMore() ? batch : null;
    }

    @Override
    public Set<String> finishedSplits() {
        return finished;
    }

    @Override
    public void recycle() {
        batch.recycle();
    }
}

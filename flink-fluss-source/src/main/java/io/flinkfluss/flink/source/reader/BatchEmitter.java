package io.flinkfluss.flink.source.reader;

import java.util.function.Consumer;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.metrics.groups.OperatorIOMetricGroup;
import org.apache.flink.table.data.RowData;

/**
 * Emits a batch in pieces: large enough that the cost around a piece does not count, small enough
 * that checkpoints and back-pressure get their turn in the middle of a batch. Rows of a log carry
 * their commit time as the record's timestamp.
 */
final class BatchEmitter implements RecordEmitter<ScannedBatch, RowData, SplitState> {
    private static final int PIECE = 256;

    private final OperatorIOMetricGroup metrics;
    private final Consumer<SplitState> stateDone;

    /**
     * @param stateDone called when every row of a split's snapshot was emitted
     */
    BatchEmitter(OperatorIOMetricGroup metrics, Consumer<SplitState> stateDone) {
        this.metrics = metrics;
        this.stateDone = stateDone;
    }

    @Override
    public void emitRecord(ScannedBatch batch, SourceOutput<RowData> output, SplitState state) {
        int from = batch.position();
        int to = Math.min(batch.end(), from + PIECE);
        boolean isLog = batch.head().isLog();
        long commitMillis = batch.head().commitMillis();
        for (int i = from; i < to; i++) {
            RowData row = batch.row(i, state.open());
            if (row == null) {
                continue;
            }
            if (isLog) {
                output.collect(row, commitMillis);
            } else {
                output.collect(row);
            }
        }
        batch.advance(to);
        state.emitted(batch);
        if (batch.isLast() && !batch.hasMore() && state.readsState()) {
            state.stateDone();
            stateDone.accept(state);
        }
        // The base class counts each piece as one record.
        metrics.getNumRecordsInCounter().inc(to - from - 1L);
        if (!batch.hasMore()) {
            metrics.getNumBytesInCounter().inc(batch.bytes());
        }
    }
}

package io.flinkfluss.flink.source.reader;

import io.flinkfluss.flink.connection.Connection;
import io.flinkfluss.flink.source.split.FlussSplit;
import io.flinkfluss.flink.source.split.LogSplit;
import io.flinkfluss.flink.source.split.StateReadEvent;
import io.flinkfluss.storage.api.record.LogFilter;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase;
import org.apache.flink.connector.base.source.reader.fetcher.SingleThreadFetcherManager;
import org.apache.flink.table.data.RowData;

/**
 * Reads a subtask's splits: one fetcher thread waits for all of them and decodes, the task thread
 * emits. It owns the connection and the decoder, and closes both after the fetcher has ended.
 */
public final class FlussSourceReader
        extends SingleThreadMultiplexSourceReaderBase<
                ScannedBatch, RowData, FlussSplit, SplitState> {
    private final Connection connection;
    private final BatchDecoder decoder;

    /**
     * @param filter rows of logs that do not match may be missing
     * @param limit rows after which a split ends; {@link Long#MAX_VALUE} for none
     */
    public FlussSourceReader(
            Connection connection,
            BatchDecoder decoder,
            LogFilter filter,
            long limit,
            SourceReaderContext context) {
        super(
                new SingleThreadFetcherManager<>(
                        () ->
                                new FlussSplitReader(
                                        new BucketScans(connection.service(), decoder, filter),
                                        limit),
                        context.getConfiguration()),
                new BatchEmitter(
                        context.metricGroup().getIOMetricGroup(),
                        state ->
                                context.sendSourceEventToCoordinator(
                                        new StateReadEvent(state.bucket()))),
                context.getConfiguration(),
                context);
        this.connection = connection;
        this.decoder = decoder;
    }

    /** Restored splits that are past their snapshot say so again: the enumerator may not know. */
    @Override
    public void addSplits(List<FlussSplit> splits) {
        super.addSplits(splits);
        for (FlussSplit split : splits) {
            if (split instanceof LogSplit) {
                context.sendSourceEventToCoordinator(new StateReadEvent(split.bucket()));
            }
        }
    }

    @Override
    protected void onSplitFinished(Map<String, SplitState> finished) {
        // every split is assigned at the start; there is nothing to ask for
    }

    @Override
    protected SplitState initializedState(FlussSplit split) {
        return new SplitState(split);
    }

    @Override
    protected FlussSplit toSplitType(String splitId, SplitState state) {
        return state.toSplit();
    }

    @Override
    public void close() throws Exception {
        try {
            super.close();
        } finally {
            decoder.close();
            connection.close();
        }
    }
}

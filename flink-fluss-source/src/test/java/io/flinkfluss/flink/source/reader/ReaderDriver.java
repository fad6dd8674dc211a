package io.flinkfluss.flink.source.reader;

import io.flinkfluss.flink.source.FlussSource;
import io.flinkfluss.flink.source.RowText;
import io.flinkfluss.flink.source.split.FlussSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.table.data.RowData;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;

/** Runs a source's reader on the test's thread, step by step. */
final class ReaderDriver implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 20;

    private final Context context = new Context();
    private final SourceReader<RowData, FlussSplit> reader;
    private final Output output;

    ReaderDriver(FlussSource source, List<? extends FlussSplit> splits) {
        reader = source.createReader(context);
        output = new Output(new RowText(source.rowType()));
        reader.start();
        reader.addSplits(List.copyOf(splits));
        reader.notifyNoMoreSplits();
    }

    /** Reads on until at least this many rows were emitted. */
    void awaitRows(int count) throws Exception {
        while (output.rows.size() < count) {
            if (step() == InputStatus.END_OF_INPUT) {
                throw new AssertionError("the source ended after " + output.rows);
            }
        }
    }

    /** Reads to the end of a bounded source. */
    List<String> readAll() throws Exception {
        while (step() != InputStatus.END_OF_INPUT) {
            // the next step waits
        }
        return output.rows;
    }

    /** Reads until something happened, waiting for it. */
    void awaitStep() throws Exception {
        step();
    }

    private InputStatus step() throws Exception {
        InputStatus status = reader.pollNext(output);
        if (status == InputStatus.NOTHING_AVAILABLE) {
            reader.isAvailable().get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        }
        return status;
    }

    List<String> rows() {
        return output.rows;
    }

    List<Long> timestamps() {
        return output.timestamps;
    }

    List<FlussSplit> checkpoint() {
        return reader.snapshotState(1);
    }

    List<SourceEvent> events() {
        return context.events;
    }

    @Override
    public void close() throws Exception {
        reader.close();
    }

    private static final class Context implements SourceReaderContext {
        private final List<SourceEvent> events = new ArrayList<>();
        private final SourceReaderMetricGroup metrics =
                UnregisteredMetricsGroup.createSourceReaderMetricGroup();

        @Override
        public SourceReaderMetricGroup metricGroup() {
            return metrics;
        }

        @Override
        public Configuration getConfiguration() {
            return new Configuration();
        }

        @Override
        public String getLocalHostName() {
            return "localhost";
        }

        @Override
        public int getIndexOfSubtask() {
            return 0;
        }

        @Override
        public void sendSplitRequest() {}

        @Override
        public void sendSourceEventToCoordinator(SourceEvent event) {
            events.add(event);
        }

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            return SimpleUserCodeClassLoader.create(getClass().getClassLoader());
        }
    }

    private static final class Output implements ReaderOutput<RowData> {
        private final RowText text;
        private final List<String> rows = new ArrayList<>();
        private final List<Long> timestamps = new ArrayList<>();

        Output(RowText text) {
            this.text = text;
        }

        @Override
        public void collect(RowData row) {
            rows.add(text.of(row));
            timestamps.add(null);
        }

        @Override
        public void collect(RowData row, long timestamp) {
            rows.add(text.of(row));
            timestamps.add(timestamp);
        }

        @Override
        public void emitWatermark(Watermark watermark) {}

        @Override
        public void markIdle() {}

        @Override
        public void markActive() {}

        @Override
        public SourceOutput<RowData> createOutputForSplit(String splitId) {
            return this;
        }

        @Override
        public void releaseOutputForSplit(String splitId) {}
    }
}

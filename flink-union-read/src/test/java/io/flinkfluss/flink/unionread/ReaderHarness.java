package io.flinkfluss.flink.unionread;

import io.flinkfluss.flink.type.FlinkTypes;
import io.flinkfluss.flink.unionread.plan.UnionScan;
import io.flinkfluss.flink.unionread.reader.UnionReader;
import io.flinkfluss.flink.unionread.split.UnionSerializers;
import io.flinkfluss.flink.unionread.split.UnionSplit;
import io.flinkfluss.storage.api.table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.table.data.RowData;
import org.apache.flink.util.UserCodeClassLoader;

/** Runs one union reader on the test's thread; a row is handed out as its kind and fields. */
final class ReaderHarness implements AutoCloseable {
    private final UnionScan scan;
    private final Output output;
    private final Configuration configuration = new Configuration();
    private UnionReader reader;

    ReaderHarness(UnionScan scan, String temporaryFolder) {
        this.scan = scan;
        this.output = new Output();
        configuration.set(CoreOptions.TMP_DIRS, temporaryFolder);
    }

    /** Plans, and gives every split to one reader. */
    ReaderHarness start() {
        return start(new TablePinner(scan).plan());
    }

    ReaderHarness start(List<UnionSplit> splits) {
        reader = new UnionReader(scan, new Context());
        reader.start();
        reader.addSplits(splits);
        reader.notifyNoMoreSplits();
        return this;
    }

    /** Reads to the end. */
    List<String> readAll() throws Exception {
        return read(Integer.MAX_VALUE);
    }

    /** Reads until there are this many rows, or the end. */
    List<String> read(int count) throws Exception {
        while (output.rows.size() < count) {
            InputStatus status = reader.pollNext(output);
            if (status == InputStatus.END_OF_INPUT) {
                break;
            }
            if (status == InputStatus.NOTHING_AVAILABLE) {
                reader.isAvailable().get(10, TimeUnit.SECONDS);
            }
        }
        return output.rows;
    }

    /** Rows so far. */
    List<String> rows() {
        return output.rows;
    }

    /** Polls once. */
    InputStatus poll() throws Exception {
        return reader.pollNext(output);
    }

    /** A new reader with the stored state of this one; rows are kept. */
    void restart() throws Exception {
        List<UnionSplit> restored = new ArrayList<>();
        for (UnionSplit split : reader.snapshotState(1)) {
            restored.add(
                    UnionSerializers.splits()
                            .deserialize(1, UnionSerializers.splits().serialize(split)));
        }
        reader.close();
        start(restored);
    }

    @Override
    public void close() throws Exception {
        if (reader != null) {
            reader.close();
        }
    }

    private final class Output implements ReaderOutput<RowData> {
        private final List<String> rows = new ArrayList<>();
        private final RowData.FieldGetter[] getters =
                IntStream.range(0, scan.projection().length)
                        .mapToObj(
                                i -> {
                                    Column column =
                                            scan.table()
                                                    .schema()
                                                    .columns()
                                                    .get(scan.projection()[i]);
                                    return RowData.createFieldGetter(
                                            FlinkTypes.toFlink(column.type()), i);
                                })
                        .toArray(RowData.FieldGetter[]::new);

        @Override
        public void collect(RowData row) {
            StringBuilder text = new StringBuilder(row.getRowKind().shortString());
            for (RowData.FieldGetter getter : getters) {
                text.append(' ').append(getter.getFieldOrNull(row));
            }
            rows.add(text.toString());
        }

        @Override
        public void collect(RowData row, long timestamp) {
            collect(row);
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

    private final class Context implements SourceReaderContext {
        @Override
        public SourceReaderMetricGroup metricGroup() {
            return UnregisteredMetricsGroup.createSourceReaderMetricGroup();
        }

        @Override
        public Configuration getConfiguration() {
            return configuration;
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
        public void sendSourceEventToCoordinator(SourceEvent event) {}

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            throw new UnsupportedOperationException("no user code in this test");
        }
    }
}

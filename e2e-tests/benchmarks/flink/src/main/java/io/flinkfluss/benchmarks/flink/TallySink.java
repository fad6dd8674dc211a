package io.flinkfluss.benchmarks.flink;

import io.flinkfluss.benchmarks.rows.Checksum;
import io.flinkfluss.benchmarks.rows.OrderView;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.SinkV2Provider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;

/** Counts rows and adds up their checksums, of all columns or of customer and quantity. */
final class TallySink implements DynamicTableSink {
    private final String name;
    private final boolean comparing;
    private final DataType type;

    TallySink(String name, boolean comparing, DataType type) {
        this.name = name;
        this.comparing = comparing;
        this.type = type;
    }

    @Override
    public ChangelogMode getChangelogMode(ChangelogMode requested) {
        return ChangelogMode.insertOnly();
    }

    @Override
    public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
        return SinkV2Provider.of(new Adding(name, comparing, DataType.getFieldNames(type)));
    }

    @Override
    public DynamicTableSink copy() {
        return new TallySink(name, comparing, type);
    }

    @Override
    public String asSummaryString() {
        return "tally";
    }

    private static final class Adding implements Sink<RowData> {
        private static final long serialVersionUID = 1;

        private final String name;
        private final boolean comparing;
        private final ArrayList<String> columns;

        Adding(String name, boolean comparing, List<String> columns) {
            this.name = name;
            this.comparing = comparing;
            this.columns = new ArrayList<>(columns);
        }

        @Override
        public SinkWriter<RowData> createWriter(WriterInitContext context) {
            return new Writer(Tally.named(name).part(), comparing, new Fields(columns));
        }
    }

    private static final class Writer implements SinkWriter<RowData> {
        private final Tally.Part part;
        private final boolean comparing;
        private final Fields fields;
        private final boolean all;

        Writer(Tally.Part part, boolean comparing, Fields fields) {
            this.part = part;
            this.comparing = comparing;
            this.fields = fields;
            all = fields.areAll();
        }

        @Override
        public void write(RowData row, Context context) {
            OrderView view = fields.view(row);
            long checksum = all ? Checksum.of(view) : Checksum.ofProjection(view);
            part.add(checksum, comparing ? expected(view.orderId()) : 0);
        }

        private static long expected(long orderId) {
            return Checksum.of(OrdersSource.Shared.ROWS.row(orderId));
        }

        @Override
        public void flush(boolean endOfInput) {}

        @Override
        public void close() {}
    }
}

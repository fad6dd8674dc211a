package io.flinkfluss.benchmarks.flink;

import io.flinkfluss.benchmarks.rows.OrderGenerator;
import io.flinkfluss.benchmarks.rows.Permutation;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;

/** Makes rows as fast as they are taken. */
final class OrdersSource implements ScanTableSource {
    private static final long ORDER = 1;

    private final OrdersFactory.Rows rows;
    private final DataType type;

    OrdersSource(OrdersFactory.Rows rows, DataType type) {
        this.rows = rows;
        this.type = type;
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return ChangelogMode.insertOnly();
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
        return SourceProvider.of(
                new DataGeneratorSource<>(
                        new Maker(rows, DataType.getFieldNames(type)),
                        rows.count(),
                        context.createTypeInformation(type)));
    }

    @Override
    public DynamicTableSource copy() {
        return new OrdersSource(rows, type);
    }

    @Override
    public String asSummaryString() {
        return "orders";
    }

    /** The row at a position, from 0. */
    private static final class Maker implements GeneratorFunction<Long, RowData> {
        private static final long serialVersionUID = 1;

        private final OrdersFactory.Rows rows;
        private final ArrayList<String> names;
        private transient OrderGenerator generator;
        private transient Permutation order;
        private transient Fields fields;

        Maker(OrdersFactory.Rows rows, List<String> names) {
            this.rows = rows;
            this.names = new ArrayList<>(names);
        }

        @Override
        public void open(SourceReaderContext context) {
            generator = Shared.ROWS;
            order = new Permutation(rows.count(), ORDER);
            fields = new Fields(names);
        }

        @Override
        public RowData map(Long position) {
            long number = rows.shuffled() ? order.at(position) : position;
            return fields.row(generator.row(rows.first() + number));
        }
    }

    /** Its texts take some time to make; all tasks of the process share them. */
    static final class Shared {
        static final OrderGenerator ROWS = new OrderGenerator(OrderGenerator.SEED);

        private Shared() {}
    }
}

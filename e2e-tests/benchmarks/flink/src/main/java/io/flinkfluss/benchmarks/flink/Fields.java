package io.flinkfluss.benchmarks.flink;

import io.flinkfluss.benchmarks.rows.OrderRow;
import io.flinkfluss.benchmarks.rows.OrderView;
import io.flinkfluss.benchmarks.rows.TextMark;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;

/** Where the columns of orders are in a table, which may have some of them in any order. */
final class Fields {
    /** All of them, as DDL. */
    static final String DDL =
            "order_id BIGINT, customer_id BIGINT, item STRING, price DOUBLE, qty INT,"
                    + " status STRING, ts TIMESTAMP(3), note STRING";

    static final String NAMES = "order_id, customer_id, item, price, qty, status, ts, note";
    private static final List<String> ALL = Arrays.asList(NAMES.split(", "));
    private static final int TIME_PRECISION = 3;

    private final int[] columns;
    private final int[] positions = new int[ALL.size()];

    /**
     * @param names of the table's columns
     * @throws IllegalArgumentException when one is none of orders
     */
    Fields(List<String> names) {
        columns = new int[names.size()];
        Arrays.fill(positions, -1);
        for (int i = 0; i < columns.length; i++) {
            columns[i] = ALL.indexOf(names.get(i));
            if (columns[i] < 0) {
                throw new IllegalArgumentException(
                        "orders have the columns " + NAMES + ", not " + names.get(i));
            }
            positions[columns[i]] = i;
        }
    }

    /** Whether every column of orders is there. */
    boolean areAll() {
        return columns.length == ALL.size();
    }

    RowData row(OrderRow order) {
        GenericRowData row = new GenericRowData(columns.length);
        for (int i = 0; i < columns.length; i++) {
            row.setField(i, value(order, columns[i]));
        }
        return row;
    }

    private static Object value(OrderRow order, int column) {
        return switch (column) {
            case 0 -> order.orderId();
            case 1 -> order.customerId();
            case 2 -> StringData.fromBytes(order.item());
            case 3 -> order.price();
            case 4 -> order.quantity();
            case 5 -> StringData.fromBytes(order.status());
            case 6 -> TimestampData.fromEpochMillis(order.timeMillis());
            case 7 -> StringData.fromBytes(order.note());
            default -> throw new IllegalArgumentException("no column " + column);
        };
    }

    /** A row of the table; asked only for columns that it has. */
    OrderView view(RowData row) {
        return new OrderView() {
            @Override
            public long orderId() {
                return row.getLong(positions[0]);
            }

            @Override
            public long customerId() {
                return row.getLong(positions[1]);
            }

            @Override
            public long itemMark() {
                return mark(positions[2]);
            }

            @Override
            public double price() {
                return row.getDouble(positions[3]);
            }

            @Override
            public int quantity() {
                return row.getInt(positions[4]);
            }

            @Override
            public long statusMark() {
                return mark(positions[5]);
            }

            @Override
            public long timeMillis() {
                return row.getTimestamp(positions[6], TIME_PRECISION).getMillisecond();
            }

            @Override
            public long noteMark() {
                return mark(positions[7]);
            }

            private long mark(int position) {
                return TextMark.of(row.getString(position).toBytes());
            }
        };
    }
}

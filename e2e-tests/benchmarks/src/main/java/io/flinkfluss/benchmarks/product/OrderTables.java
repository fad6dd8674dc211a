package io.flinkfluss.benchmarks.product;

import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import io.flinkfluss.storage.api.record.ColumnPredicate;
import io.flinkfluss.storage.api.record.ColumnPredicate.Operator;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
import io.flinkfluss.storage.api.table.TableInfo;
import io.flinkfluss.storage.api.table.TableOption;
import io.flinkfluss.storage.api.table.TypeRoot;
import java.util.List;
import java.util.Map;

/** The orders schema as tables of this product, with defaults for all but the replicas. */
final class OrderTables {
    static final int ORDER_ID = 0;
    static final int CUSTOMER_ID = 1;
    static final int ITEM = 2;
    static final int PRICE = 3;
    static final int QUANTITY = 4;
    static final int STATUS = 5;
    static final int TIME = 6;
    static final int NOTE = 7;

    private static final String ORDER = "order_id";
    private static final String CUSTOMER = "customer_id";
    private static final int[] CUSTOMER_AND_QUANTITY = {CUSTOMER_ID, QUANTITY};

    private OrderTables() {}

    static TableDescriptor log(int buckets, int replicas) {
        return table(List.of(), List.of(), buckets, replicas);
    }

    static TableDescriptor keyed(int buckets, int replicas) {
        return table(List.of(ORDER), List.of(), buckets, replicas);
    }

    static TableDescriptor byCustomer(int buckets, int replicas) {
        return table(List.of(CUSTOMER, ORDER), List.of(CUSTOMER), buckets, replicas);
    }

    /** The positions of the columns in the schema; null for all. */
    static int[] indexes(Columns columns) {
        return switch (columns) {
            case ALL -> null;
            case CUSTOMER_AND_QUANTITY -> CUSTOMER_AND_QUANTITY.clone();
        };
    }

    /** What looks for orders from one id up to, not including, another. */
    static LogFilter ordersFrom(TableInfo table, long first, long end) {
        Column order = table.schema().columns().get(ORDER_ID);
        return new LogFilter(
                table.schema().id(),
                List.of(
                        ColumnPredicate.of(order, Operator.GREATER_OR_EQUAL, first),
                        ColumnPredicate.of(order, Operator.LESS, end)));
    }

    private static TableDescriptor table(
            List<String> key, List<String> bucketKey, int buckets, int replicas) {
        Map<String, String> options =
                Map.of(TableOption.REPLICATION_FACTOR.key(), Integer.toString(replicas));
        return new TableDescriptor(
                schema(key), List.of(), bucketKey, buckets, options, Map.of(), "");
    }

    private static Schema schema(List<String> key) {
        return new Schema(
                1,
                List.of(
                        Column.of(1, ORDER, number(ORDER, key)),
                        Column.of(2, CUSTOMER, number(CUSTOMER, key)),
                        Column.of(3, "item", DataType.of(TypeRoot.STRING)),
                        Column.of(4, "price", DataType.of(TypeRoot.DOUBLE)),
                        Column.of(5, "qty", DataType.of(TypeRoot.INT)),
                        Column.of(6, "status", DataType.of(TypeRoot.STRING)),
                        Column.of(7, "ts", DataType.of(TypeRoot.TIMESTAMP, 3)),
                        Column.of(8, "note", DataType.of(TypeRoot.STRING))),
                key);
    }

    private static DataType number(String column, List<String> key) {
        DataType type = DataType.of(TypeRoot.BIGINT);
        return key.contains(column) ? type.notNull() : type;
    }
}

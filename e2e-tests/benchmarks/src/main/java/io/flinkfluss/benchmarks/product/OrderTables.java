package io.flinkfluss.benchmarks.product;

import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import io.flinkfluss.storage.api.table.Column;
import io.flinkfluss.storage.api.table.DataType;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableDescriptor;
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

    private static final int[] CUSTOMER_AND_QUANTITY = {CUSTOMER_ID, QUANTITY};

    private OrderTables() {}

    static TableDescriptor log(int buckets, int replicas) {
        return table(schema(DataType.of(TypeRoot.BIGINT), List.of()), buckets, replicas);
    }

    static TableDescriptor keyed(int buckets, int replicas) {
        return table(
                schema(DataType.of(TypeRoot.BIGINT).notNull(), List.of("order_id")),
                buckets,
                replicas);
    }

    /** The positions of the columns in the schema; null for all. */
    static int[] indexes(Columns columns) {
        return switch (columns) {
            case ALL -> null;
            case CUSTOMER_AND_QUANTITY -> CUSTOMER_AND_QUANTITY.clone();
        };
    }

    private static TableDescriptor table(Schema schema, int buckets, int replicas) {
        Map<String, String> options =
                Map.of(TableOption.REPLICATION_FACTOR.key(), Integer.toString(replicas));
        return new TableDescriptor(schema, List.of(), List.of(), buckets, options, Map.of(), "");
    }

    private static Schema schema(DataType orderId, List<String> key) {
        return new Schema(
                1,
                List.of(
                        Column.of(1, "order_id", orderId),
                        Column.of(2, "customer_id", DataType.of(TypeRoot.BIGINT)),
                        Column.of(3, "item", DataType.of(TypeRoot.STRING)),
                        Column.of(4, "price", DataType.of(TypeRoot.DOUBLE)),
                        Column.of(5, "qty", DataType.of(TypeRoot.INT)),
                        Column.of(6, "status", DataType.of(TypeRoot.STRING)),
                        Column.of(7, "ts", DataType.of(TypeRoot.TIMESTAMP, 3)),
                        Column.of(8, "note", DataType.of(TypeRoot.STRING))),
                key);
    }
}

package io.flinkfluss.benchmarks.peers.fluss;

import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.types.DataTypes;

/** The orders schema as tables of Fluss, every option left at its default. */
final class OrderTables {
    static final int ORDER_ID = 0;
    static final int CUSTOMER_ID = 1;
    static final int ITEM = 2;
    static final int PRICE = 3;
    static final int QUANTITY = 4;
    static final int STATUS = 5;
    static final int TIME = 6;
    static final int NOTE = 7;
    static final int COLUMNS = 8;
    static final int TIME_PRECISION = 3;

    static final String CUSTOMER = "customer_id";

    private static final String ORDER = "order_id";

    private OrderTables() {}

    static TableDescriptor log(int buckets) {
        return TableDescriptor.builder().schema(columns().build()).distributedBy(buckets).build();
    }

    static TableDescriptor keyed(int buckets) {
        return TableDescriptor.builder()
                .schema(columns().primaryKey(ORDER).build())
                .distributedBy(buckets, ORDER)
                .build();
    }

    static TableDescriptor byCustomer(int buckets) {
        return TableDescriptor.builder()
                .schema(columns().primaryKey(CUSTOMER, ORDER).build())
                .distributedBy(buckets, CUSTOMER)
                .build();
    }

    private static Schema.Builder columns() {
        return Schema.newBuilder()
                .column(ORDER, DataTypes.BIGINT())
                .column(CUSTOMER, DataTypes.BIGINT())
                .column("item", DataTypes.STRING())
                .column("price", DataTypes.DOUBLE())
                .column("qty", DataTypes.INT())
                .column("status", DataTypes.STRING())
                .column("ts", DataTypes.TIMESTAMP(TIME_PRECISION))
                .column("note", DataTypes.STRING());
    }
}

package io.flinkfluss.benchmarks.product;

import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import io.flinkfluss.benchmarks.rows.OrderView;
import io.flinkfluss.benchmarks.rows.TextMark;
import io.flinkfluss.storage.api.record.RowView;

/** A row as the client gives it; reused from row to row. */
final class ReadRow implements OrderView {
    private final int customerId;
    private final int quantity;
    private RowView row;

    ReadRow(Columns columns) {
        customerId = columns == Columns.ALL ? OrderTables.CUSTOMER_ID : 0;
        quantity = columns == Columns.ALL ? OrderTables.QUANTITY : 1;
    }

    ReadRow of(RowView next) {
        row = next;
        return this;
    }

    @Override
    public long orderId() {
        return row.longAt(OrderTables.ORDER_ID);
    }

    @Override
    public long customerId() {
        return row.longAt(customerId);
    }

    @Override
    public long itemMark() {
        return TextMark.of(row.bytesAt(OrderTables.ITEM));
    }

    @Override
    public double price() {
        return row.doubleAt(OrderTables.PRICE);
    }

    @Override
    public int quantity() {
        return row.intAt(quantity);
    }

    @Override
    public long statusMark() {
        return TextMark.of(row.bytesAt(OrderTables.STATUS));
    }

    @Override
    public long timeMillis() {
        return row.longAt(OrderTables.TIME);
    }

    @Override
    public long noteMark() {
        return TextMark.of(row.bytesAt(OrderTables.NOTE));
    }
}

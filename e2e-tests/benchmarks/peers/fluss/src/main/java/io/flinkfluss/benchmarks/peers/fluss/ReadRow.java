package io.flinkfluss.benchmarks.peers.fluss;

import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import io.flinkfluss.benchmarks.rows.OrderView;
import io.flinkfluss.benchmarks.rows.TextMark;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.InternalRow;

/** A row as the client gives it; reused from row to row. */
final class ReadRow implements OrderView {
    private final int customerId;
    private final int quantity;
    private InternalRow row;

    ReadRow(Columns columns) {
        customerId = columns == Columns.ALL ? OrderTables.CUSTOMER_ID : 0;
        quantity = columns == Columns.ALL ? OrderTables.QUANTITY : 1;
    }

    ReadRow of(InternalRow next) {
        row = next;
        return this;
    }

    @Override
    public long orderId() {
        return row.getLong(OrderTables.ORDER_ID);
    }

    @Override
    public long customerId() {
        return row.getLong(customerId);
    }

    @Override
    public long itemMark() {
        return mark(row.getString(OrderTables.ITEM));
    }

    @Override
    public double price() {
        return row.getDouble(OrderTables.PRICE);
    }

    @Override
    public int quantity() {
        return row.getInt(quantity);
    }

    @Override
    public long statusMark() {
        return mark(row.getString(OrderTables.STATUS));
    }

    @Override
    public long timeMillis() {
        return row.getTimestampNtz(OrderTables.TIME, OrderTables.TIME_PRECISION).getMillisecond();
    }

    @Override
    public long noteMark() {
        return mark(row.getString(OrderTables.NOTE));
    }

    private static long mark(BinaryString text) {
        int length = text.getSizeInBytes();
        return length == 0
                ? 0
                : TextMark.of(
                        length, text.byteAt(0), text.byteAt(length / 2), text.byteAt(length - 1));
    }
}

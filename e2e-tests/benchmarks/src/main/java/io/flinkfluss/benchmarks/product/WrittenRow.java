package io.flinkfluss.benchmarks.product;

import io.flinkfluss.benchmarks.rows.OrderRow;
import io.flinkfluss.storage.api.record.RowView;

/**
 * A generated row as the client takes rows; reused from row to row, as the client encodes at once.
 */
final class WrittenRow implements RowView {
    private OrderRow row;

    WrittenRow of(OrderRow next) {
        row = next;
        return this;
    }

    @Override
    public boolean isNullAt(int index) {
        return false;
    }

    @Override
    public int intAt(int index) {
        if (index == OrderTables.QUANTITY) {
            return row.quantity();
        }
        throw other(index);
    }

    @Override
    public long longAt(int index) {
        return switch (index) {
            case OrderTables.ORDER_ID -> row.orderId();
            case OrderTables.CUSTOMER_ID -> row.customerId();
            case OrderTables.TIME -> row.timeMillis();
            default -> throw other(index);
        };
    }

    @Override
    public double doubleAt(int index) {
        if (index == OrderTables.PRICE) {
            return row.price();
        }
        throw other(index);
    }

    @Override
    public byte[] bytesAt(int index) {
        return switch (index) {
            case OrderTables.ITEM -> row.item();
            case OrderTables.STATUS -> row.status();
            case OrderTables.NOTE -> row.note();
            default -> throw other(index);
        };
    }

    @Override
    public int nanosOfMilliAt(int index) {
        return 0;
    }

    @Override
    public boolean booleanAt(int index) {
        throw other(index);
    }

    @Override
    public byte byteAt(int index) {
        throw other(index);
    }

    @Override
    public short shortAt(int index) {
        throw other(index);
    }

    @Override
    public float floatAt(int index) {
        throw other(index);
    }

    private static IllegalArgumentException other(int index) {
        return new IllegalArgumentException("column " + index + " has another type");
    }
}

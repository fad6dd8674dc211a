package io.flinkfluss.benchmarks.peers.fluss;

import io.flinkfluss.benchmarks.driver.RowWriter;
import io.flinkfluss.benchmarks.rows.OrderRow;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.row.TimestampNtz;

/** Writes rows without waiting; a row that was refused is told by the next flush. */
final class OrderWriter implements RowWriter {
    private final Table table;
    private final Call call;
    private final Runnable flush;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** How a row is given to the client. */
    interface Call {
        CompletableFuture<?> write(InternalRow row);
    }

    OrderWriter(Table table, Call call, Runnable flush) {
        this.table = table;
        this.call = call;
        this.flush = flush;
    }

    @Override
    public void write(OrderRow order) {
        GenericRow row = new GenericRow(OrderTables.COLUMNS);
        row.setField(OrderTables.ORDER_ID, order.orderId());
        row.setField(OrderTables.CUSTOMER_ID, order.customerId());
        row.setField(OrderTables.ITEM, BinaryString.fromBytes(order.item()));
        row.setField(OrderTables.PRICE, order.price());
        row.setField(OrderTables.QUANTITY, order.quantity());
        row.setField(OrderTables.STATUS, BinaryString.fromBytes(order.status()));
        row.setField(OrderTables.TIME, TimestampNtz.fromMillis(order.timeMillis()));
        row.setField(OrderTables.NOTE, BinaryString.fromBytes(order.note()));
        call.write(row).exceptionally(this::failed);
    }

    /** A row's future; the result is of no interest. */
    private <T> T failed(Throwable error) {
        failure.compareAndSet(null, error);
        return null;
    }

    @Override
    public void flush() {
        flush.run();
        Throwable error = failure.get();
        if (error != null) {
            throw new IllegalStateException("a row was not stored: " + error, error);
        }
    }

    @Override
    public void close() throws Exception {
        table.close();
    }
}

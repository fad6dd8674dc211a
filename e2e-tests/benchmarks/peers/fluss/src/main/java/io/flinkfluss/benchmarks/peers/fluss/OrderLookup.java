package io.flinkfluss.benchmarks.peers.fluss;

import io.flinkfluss.benchmarks.driver.KeyLookup;
import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import io.flinkfluss.benchmarks.rows.Checksum;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.client.lookup.Lookuper;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;

/** Looks orders up one key a call; the client gathers what is waiting. */
final class OrderLookup implements KeyLookup {
    private final Table table;
    private final Lookuper lookuper;

    OrderLookup(Table table) {
        this.table = table;
        lookuper = table.newLookup().createLookuper();
    }

    @Override
    public CompletableFuture<Long> checksum(long orderId) {
        return lookuper.lookup(GenericRow.of(orderId))
                .thenApply(found -> checksum(orderId, found.getSingletonRow()));
    }

    private static long checksum(long orderId, InternalRow row) {
        if (row == null) {
            throw new IllegalStateException("there is no row with key " + orderId);
        }
        return Checksum.of(new ReadRow(Columns.ALL).of(row));
    }

    @Override
    public void close() throws Exception {
        table.close();
    }
}

package io.flinkfluss.benchmarks.peers.fluss;

import io.flinkfluss.benchmarks.driver.CustomerLookup;
import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import io.flinkfluss.benchmarks.rows.Checksum;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.client.lookup.Lookuper;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;

/** Looks orders up by the first column of their key; the client gathers what is waiting. */
final class OrdersOfCustomer implements CustomerLookup {
    private final Table table;
    private final Lookuper lookuper;

    OrdersOfCustomer(Table table) {
        this.table = table;
        lookuper = table.newLookup().lookupBy(OrderTables.CUSTOMER).createLookuper();
    }

    @Override
    public CompletableFuture<Found> orders(long customerId) {
        return lookuper.lookup(GenericRow.of(customerId))
                .thenApply(found -> found(found.getRowList()));
    }

    private static Found found(List<InternalRow> orders) {
        ReadRow view = new ReadRow(Columns.ALL);
        long checksum = 0;
        for (InternalRow order : orders) {
            checksum += Checksum.of(view.of(order));
        }
        return new Found(orders.size(), checksum);
    }

    @Override
    public void close() throws Exception {
        table.close();
    }
}

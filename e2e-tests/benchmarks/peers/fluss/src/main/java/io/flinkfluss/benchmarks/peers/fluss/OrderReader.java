package io.flinkfluss.benchmarks.peers.fluss;

import io.flinkfluss.benchmarks.driver.RowReader;
import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import java.time.Duration;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.Scan;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.client.table.scanner.log.LogScanner;

/** Reads all buckets of a log from their beginning. */
final class OrderReader implements RowReader {
    private static final int[] CUSTOMER_AND_QUANTITY = {
        OrderTables.CUSTOMER_ID, OrderTables.QUANTITY
    };

    private final Table table;
    private final LogScanner scanner;
    private final ReadRow view;

    OrderReader(Table table, Columns columns) {
        this.table = table;
        Scan scan = table.newScan();
        scanner =
                switch (columns) {
                    case ALL -> scan.createLogScanner();
                    case CUSTOMER_AND_QUANTITY ->
                            scan.project(CUSTOMER_AND_QUANTITY).createLogScanner();
                };
        view = new ReadRow(columns);
        int buckets = table.getTableInfo().getNumBuckets();
        for (int bucket = 0; bucket < buckets; bucket++) {
            scanner.subscribeFromBeginning(bucket);
        }
    }

    @Override
    public void poll(Duration patience, Sink sink) {
        for (ScanRecord record : scanner.poll(patience)) {
            sink.accept(view.of(record.getRow()));
        }
    }

    @Override
    public void close() throws Exception {
        scanner.close();
        table.close();
    }
}

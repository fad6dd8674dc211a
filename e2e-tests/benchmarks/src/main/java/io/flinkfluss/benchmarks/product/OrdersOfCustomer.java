package io.flinkfluss.benchmarks.product;

import io.flinkfluss.benchmarks.driver.CustomerLookup;
import io.flinkfluss.benchmarks.driver.SystemClient.Columns;
import io.flinkfluss.benchmarks.rows.Checksum;
import io.flinkfluss.storage.api.KvReader;
import io.flinkfluss.storage.api.record.BucketHash;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.GenericRow;
import io.flinkfluss.storage.api.record.KeyCodec;
import io.flinkfluss.storage.api.record.RowCodec;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.table.TableInfo;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Looks orders up by the first column of their key; all of a customer are in one bucket. */
final class OrdersOfCustomer implements CustomerLookup {
    private static final int COLUMNS_OF_PREFIX = 1;

    private final KvReader reader;
    private final List<BucketId> buckets;
    private final KeyCodec keys;
    private final BucketHash hash;
    private final RowCodec rows;

    OrdersOfCustomer(KvReader reader, TableInfo table) {
        this.reader = reader;
        Schema schema = table.schema();
        int[] bucketKey = schema.indexesOf(table.descriptor().bucketKey());
        buckets = table.buckets();
        keys = new KeyCodec(schema, schema.keyIndexes());
        hash = new BucketHash(schema, bucketKey, buckets.size());
        rows = new RowCodec(schema);
    }

    @Override
    public CompletableFuture<Found> orders(long customerId) {
        GenericRow customer = GenericRow.of(customerId);
        BucketId bucket = buckets.get(hash.bucketOfKeyRow(customer));
        return reader.prefixLookup(bucket, keys.encodeKeyPrefix(customer, COLUMNS_OF_PREFIX))
                .thenApply(this::found);
    }

    private Found found(List<EncodedRow> orders) {
        ReadRow view = new ReadRow(Columns.ALL);
        long checksum = 0;
        for (EncodedRow order : orders) {
            checksum += Checksum.of(view.of(rows.decode(order.bytes())));
        }
        return new Found(orders.size(), checksum);
    }

    @Override
    public void close() {}
}

package io.flinkfluss.benchmarks.product;

import io.flinkfluss.benchmarks.driver.KeyLookup;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Looks orders up one key a call; the client gathers what is waiting. */
final class OrderLookup implements KeyLookup {
    private final KvReader reader;
    private final List<BucketId> buckets;
    private final KeyCodec keys;
    private final BucketHash hash;
    private final RowCodec rows;

    OrderLookup(KvReader reader, TableInfo table) {
        this.reader = reader;
        Schema schema = table.schema();
        buckets = table.buckets();
        keys = new KeyCodec(schema, schema.keyIndexes());
        hash = new BucketHash(schema, schema.keyIndexes(), buckets.size());
        rows = new RowCodec(schema);
    }

    @Override
    public CompletableFuture<Long> checksum(long orderId) {
        GenericRow key = GenericRow.of(orderId);
        BucketId bucket = buckets.get(hash.bucketOfKeyRow(key));
        return reader.lookup(bucket, List.of(keys.encodeKeyRow(key)))
                .thenApply(found -> checksum(orderId, found.get(0)));
    }

    private long checksum(long orderId, Optional<EncodedRow> found) {
        EncodedRow row =
                found.orElseThrow(
                        () -> new IllegalStateException("there is no row with key " + orderId));
        return Checksum.of(new ReadRow(Columns.ALL).of(rows.decode(row.bytes())));
    }

    @Override
    public void close() {}
}

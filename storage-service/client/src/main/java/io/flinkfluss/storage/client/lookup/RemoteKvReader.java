package io.flinkfluss.storage.client.lookup;

import io.flinkfluss.storage.api.KvReader;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.EncodedRow;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.KvSnapshot;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.wire.ClusterOperation;
import io.flinkfluss.storage.api.wire.LookupRequest;
import io.flinkfluss.storage.client.read.RemoteReader;
import io.flinkfluss.storage.client.routing.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@link KvReader} over the wire. */
public final class RemoteKvReader implements KvReader {
    private final Cluster cluster;
    private final LookupDispatcher dispatcher;
    private final RemoteReader reader;

    public RemoteKvReader(Cluster cluster, LookupDispatcher dispatcher, RemoteReader reader) {
        this.cluster = cluster;
        this.dispatcher = dispatcher;
        this.reader = reader;
    }

    @Override
    public CompletableFuture<List<Optional<EncodedRow>>> lookup(
            BucketId bucket, List<byte[]> keys) {
        if (keys.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        return dispatcher
                .find(new LookupQueue.Id(bucket, LookupRequest.Kind.KEYS), keys)
                .thenApply(RemoteKvReader::firstOfEach);
    }

    @Override
    public CompletableFuture<List<EncodedRow>> prefixLookup(BucketId bucket, byte[] prefix) {
        return dispatcher
                .find(new LookupQueue.Id(bucket, LookupRequest.Kind.PREFIXES), List.of(prefix))
                .thenApply(rows -> rows.get(0));
    }

    @Override
    public KvSnapshot snapshot(TableId table) {
        return cluster.call(new ClusterOperation.CreateSnapshot(table));
    }

    @Override
    public Batches<RowBatch> scan(KvScanRequest request) {
        return reader.scan(request);
    }

    @Override
    public void release(KvSnapshot snapshot) {
        cluster.call(new ClusterOperation.ReleaseSnapshot(snapshot));
    }

    private static List<Optional<EncodedRow>> firstOfEach(List<List<EncodedRow>> rows) {
        if (rows.size() == 1) {
            return List.of(first(rows.get(0)));
        }
        List<Optional<EncodedRow>> found = new ArrayList<>(rows.size());
        rows.forEach(each -> found.add(first(each)));
        return found;
    }

    private static Optional<EncodedRow> first(List<EncodedRow> rows) {
        return rows.isEmpty() ? Optional.empty() : Optional.of(rows.get(0));
    }
}

package io.flinkfluss.storage.client.read;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.RowBatch;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.KvScanTicket;
import io.flinkfluss.storage.api.wire.RowBatchHeader;
import io.flinkfluss.storage.api.wire.StreamTicket;
import java.util.Optional;

/** A bucket of a snapshot, from a key on. */
final class RowSource implements StreamSource<RowBatch> {
    private final KvScanRequest request;
    private byte[] lastKey;

    RowSource(KvScanRequest request) {
        this.request = request;
        lastKey = request.afterKey();
    }

    @Override
    public BucketId bucket() {
        return request.bucket();
    }

    @Override
    public ReadFrom readFrom() {
        return ReadFrom.LEADER;
    }

    @Override
    public StreamTicket ticket() {
        return new KvScanTicket(
                new KvScanRequest(
                        request.bucket(), request.snapshotId(), lastKey, request.columnIndexes()));
    }

    @Override
    public Optional<RowBatch> accept(FlightFrame frame) {
        RowBatch batch =
                RowBatchHeader.decode(frame.appMetadata()).toBatch(request.bucket(), frame);
        lastKey = batch.lastKey();
        return Optional.of(batch);
    }

    @Override
    public int sizeInBytes(RowBatch batch) {
        return batch.metadata().remaining() + batch.body().remaining();
    }

    @Override
    public boolean askOlder(StorageException refused) {
        return false;
    }

    @Override
    public boolean isComplete() {
        return false;
    }

    @Override
    public boolean endsWithStream() {
        return true;
    }
}

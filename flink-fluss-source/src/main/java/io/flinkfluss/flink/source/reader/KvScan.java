package io.flinkfluss.flink.source.reader;

import io.flinkfluss.flink.source.shape.BatchHead;
import io.flinkfluss.flink.source.split.KvSplit;
import io.flinkfluss.storage.api.KvReader;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.KvScanRequest;
import io.flinkfluss.storage.api.record.RowBatch;
import java.util.Optional;

/** Reads the rest of a bucket of a snapshot, in key order. */
final class KvScan implements BucketScan {
    private final KvSplit split;
    private final BatchDecoder decoder;
    private final Batches<RowBatch> batches;
    private byte[] afterKey;
    private long rowsToSkip;

    KvScan(KvReader reader, BatchDecoder decoder, KvSplit split) {
        this.split = split;
        this.decoder = decoder;
        this.afterKey = split.afterKey();
        this.rowsToSkip = split.rowsToSkip();
        this.batches = scan(reader, decoder, split);
    }

    @Override
    public String splitId() {
        return split.splitId();
    }

    @Override
    public Optional<ScannedBatch> poll() {
        while (true) {
            Optional<RowBatch> next = next();
            if (next.isEmpty()) {
                return batches.isFinished()
                        ? Optional.of(ScannedBatch.end(splitId(), BatchHead.STATE))
                        : Optional.empty();
            }
            RowBatch batch = next.get();
            int from = (int) Math.min(batch.rowCount(), rowsToSkip);
            rowsToSkip -= from;
            byte[] startKey = afterKey;
            afterKey = batch.lastKey();
            if (from < batch.rowCount()) {
                return Optional.of(rows(batch, startKey, from));
            }
        }
    }

    private Optional<RowBatch> next() {
        try {
            return batches.poll();
        } catch (StorageException e) {
            throw e.code() == ErrorCode.SNAPSHOT_NOT_FOUND ? freed(split, e) : e;
        }
    }

    private static Batches<RowBatch> scan(KvReader reader, BatchDecoder decoder, KvSplit split) {
        try {
            return reader.scan(
                    new KvScanRequest(
                            split.bucket(),
                            split.snapshotId(),
                            split.afterKey(),
                            decoder.columns()));
        } catch (StorageException e) {
            throw e.code() == ErrorCode.SNAPSHOT_NOT_FOUND ? freed(split, e) : e;
        }
    }

    /** Not retriable for a job: restarting it from the same checkpoint finds the same. */
    private static StorageException freed(KvSplit split, StorageException cause) {
        return new StorageException(
                ErrorCode.INVALID_REQUEST,
                "the job was in the middle of reading the state of bucket "
                        + split.bucket()
                        + " when its snapshot "
                        + split.snapshotId()
                        + " was freed; what was read cannot be completed. Start the job without this checkpoint",
                cause);
    }

    private ScannedBatch rows(RowBatch batch, byte[] startKey, int from) {
        int bytes = batch.metadata().remaining() + batch.body().remaining();
        return new ScannedBatch(
                splitId(),
                BatchHead.STATE,
                decoder.decode(BatchHead.STATE, batch.metadata(), batch.body()),
                new ScannedBatch.KeyRange(startKey, batch.lastKey()),
                new ScannedBatch.RowRange(from, batch.rowCount(), batch.rowCount()),
                bytes);
    }

    @Override
    public void onAvailable(Runnable listener) {
        batches.onAvailable(listener);
    }

    @Override
    public void close() {
        batches.close();
    }
}

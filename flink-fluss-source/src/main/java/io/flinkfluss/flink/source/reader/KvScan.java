package io.flinkfluss.flink.source.reader;

import io.flinkfluss.flink.source.shape.BatchHead;
import io.flinkfluss.flink.source.split.KvSplit;
import io.flinkfluss.storage.api.KvReader;
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
        this.batches =
                reader.scan(
                        new KvScanRequest(
                                split.bucket(),
                                split.snapshotId(),
                                split.afterKey(),
                                decoder.columns()));
    }

    @Override
    public String splitId() {
        return split.splitId();
    }

    @Override
    public Optional<ScannedBatch> poll() {
        while (true) {
            Optional<RowBatch> next = batches.poll();
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

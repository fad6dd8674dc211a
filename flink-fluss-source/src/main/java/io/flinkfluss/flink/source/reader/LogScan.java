package io.flinkfluss.flink.source.reader;

import io.flinkfluss.flink.source.shape.BatchHead;
import io.flinkfluss.flink.source.split.LogSplit;
import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.record.Batches;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.record.ScanRequest;
import java.util.Optional;

/** Reads a range of a bucket's log. */
final class LogScan implements BucketScan {
    private final LogSplit split;
    private final BatchDecoder decoder;
    private final Batches<LogBatch> batches;
    private long position;

    LogScan(LogReader reader, BatchDecoder decoder, LogSplit split, LogFilter filter) {
        this.split = split;
        this.decoder = decoder;
        this.position = split.startOffset();
        this.batches =
                reader.scan(
                        new ScanRequest(
                                        split.bucket(),
                                        position,
                                        split.stopOffset(),
                                        decoder.columns())
                                .matching(filter));
    }

    @Override
    public String splitId() {
        return split.splitId();
    }

    @Override
    public Optional<ScannedBatch> poll() {
        while (true) {
            if (position >= split.stopOffset()) {
                return Optional.of(ScannedBatch.end(splitId(), logEnd()));
            }
            Optional<LogBatch> next = batches.poll();
            if (next.isPresent()) {
                Optional<ScannedBatch> rows = wanted(next.get());
                if (rows.isPresent()) {
                    return rows;
                }
            } else if (batches.isFinished()) {
                return Optional.of(ScannedBatch.end(splitId(), logEnd()));
            } else {
                return Optional.empty();
            }
        }
    }

    private Optional<ScannedBatch> wanted(LogBatch batch) {
        int from = batch.firstRow(position);
        int to = (int) Math.min(batch.rowCount(), split.stopOffset() - batch.baseOffset());
        if (from >= to) {
            return leftOut(batch.nextOffset());
        }
        position = batch.baseOffset() + to;
        BatchHead head = BatchHead.of(batch);
        ScannedBatch rows =
                new ScannedBatch(
                        splitId(),
                        head,
                        decoder.decode(head, batch.metadata(), batch.body()),
                        ScannedBatch.KeyRange.NONE,
                        new ScannedBatch.RowRange(from, to, batch.rowCount()),
                        batch.sizeInBytes());
        if (position >= split.stopOffset()) {
            rows.markLast();
        }
        return Optional.of(rows);
    }

    /** Says that there is nothing before the offset, unless that is known or the end. */
    private Optional<ScannedBatch> leftOut(long offset) {
        if (offset <= position) {
            return Optional.empty();
        }
        position = Math.min(offset, split.stopOffset());
        return position < split.stopOffset()
                ? Optional.of(ScannedBatch.progress(splitId(), logEnd()))
                : Optional.empty();
    }

    private BatchHead logEnd() {
        return new BatchHead(position, -1, BatchHead.STATE.kinds());
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

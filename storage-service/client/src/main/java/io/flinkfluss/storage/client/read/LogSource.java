package io.flinkfluss.storage.client.read;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.LogFilter;
import io.flinkfluss.storage.api.record.ReadFrom;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.BatchHeader;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.ScanTicket;
import io.flinkfluss.storage.api.wire.StreamTicket;
import java.util.Optional;

/** A bucket's log from an offset on. */
final class LogSource implements StreamSource<LogBatch> {
    /** A batch without rows takes memory, too. */
    private static final int LEAST_BYTES = 64;

    /** Without its filter once a node turned out not to know filters. */
    private ScanRequest request;

    private long position;

    LogSource(ScanRequest request) {
        this.request = request;
        position = request.startOffset();
    }

    @Override
    public BucketId bucket() {
        return request.bucket();
    }

    @Override
    public ReadFrom readFrom() {
        return request.readFrom();
    }

    @Override
    public StreamTicket ticket() {
        return new ScanTicket(request.startingAt(position));
    }

    @Override
    public Optional<LogBatch> accept(FlightFrame frame) {
        LogBatch batch = BatchHeader.decode(frame.appMetadata()).toBatch(request.bucket(), frame);
        if (batch.nextOffset() <= position) {
            return Optional.empty();
        }
        long from = request.filter().isNone() ? batch.baseOffset() : batch.firstCovered();
        if (from > position) {
            throw new StorageException(
                    ErrorCode.CORRUPT_DATA,
                    "the log of bucket "
                            + request.bucket()
                            + " continues at offset "
                            + from
                            + " where "
                            + position
                            + " belongs; look for damaged segments on its leader");
        }
        position = batch.nextOffset();
        return Optional.of(batch);
    }

    @Override
    public int sizeInBytes(LogBatch batch) {
        return Math.max(LEAST_BYTES, batch.sizeInBytes());
    }

    @Override
    public boolean askOlder(StorageException refused) {
        if (refused.code() != ErrorCode.INCOMPATIBLE_VERSION || request.filter().isNone()) {
            return false;
        }
        request = request.matching(LogFilter.NONE);
        return true;
    }

    @Override
    public boolean isComplete() {
        return position >= request.endOffset();
    }

    @Override
    public boolean endsWithStream() {
        return false;
    }
}

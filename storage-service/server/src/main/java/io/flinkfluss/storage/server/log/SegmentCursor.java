package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.wire.ArrowProjection;
import io.flinkfluss.storage.api.wire.WireInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Reads batches one after another, each as a whole so that its checksum is always verified, also
 * that of the statistics by which a batch is left out. Small batches are read many at a time, into
 * a window that is given up while the cursor waits.
 */
final class SegmentCursor implements LogCursor {
    private static final int WINDOW = 64 * 1024;

    /** After so many bytes that were left out the reader is told, and others may work. */
    private static final long MOST_LEFT_OUT = 4L << 20;

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final BucketLog log;
    private final ScanRequest request;
    private final Schema schema;

    /** Where the next batch begins, once the start was found. */
    private BatchFile file;

    private long position;
    private volatile long nextOffset;

    /** What was shown last; rows that exist no more are read on where it says they are. */
    private LogView view;

    /** A large batch that is being put together. */
    private ByteBuffer partial = NONE;

    private volatile Runnable ready = () -> {};

    private ByteBuffer window = NONE;
    private long windowStart;

    /** What was left out since the last batch that was given. */
    private long leftOutRows;

    private long leftOutBytes;

    SegmentCursor(BucketLog log, ScanRequest request, Schema schema) {
        this.log = log;
        this.request = request;
        this.schema = schema;
        this.nextOffset = request.startOffset();
        this.view = log.view();
    }

    @Override
    public long nextOffset() {
        return nextOffset;
    }

    @Override
    public boolean isFinished() {
        return nextOffset >= request.endOffset();
    }

    @Override
    public void onLoaded(Runnable listener) {
        ready = listener;
    }

    @Override
    public Optional<LogBatch> next() {
        log.checkExists();
        leftOutRows = 0;
        leftOutBytes = 0;
        while (true) {
            LogView now = log.view();
            if (isFinished() || nextOffset >= now.endOffset()) {
                window = NONE;
                return leftOut();
            }
            long reached = nextOffset;
            try {
                LogBatch batch = read(now);
                if (batch != null) {
                    return Optional.of(batch);
                }
            } catch (IOException e) {
                if (leftOutRows > 0) {
                    return leftOutBefore(reached);
                }
                throw log.readFailed(e);
            } catch (StorageException e) {
                if (leftOutRows > 0) {
                    return leftOutBefore(reached);
                }
                if (e.code() == ErrorCode.NOT_READY) {
                    return Optional.empty();
                }
                if (e.code() == ErrorCode.CORRUPT_DATA && nextOffset < log.startOffset()) {
                    throw log.deleted(nextOffset);
                }
                throw e;
            }
            if (leftOutBytes >= MOST_LEFT_OUT) {
                return leftOut();
            }
        }
    }

    /** What was left out before a failure is told first; the next call meets the failure again. */
    private Optional<LogBatch> leftOutBefore(long reached) {
        // A damaged header may have led elsewhere.
        nextOffset = reached;
        return leftOut();
    }

    private Optional<LogBatch> leftOut() {
        return leftOutRows == 0
                ? Optional.empty()
                : Optional.of(LogBatch.ofLeftOut(log.bucket(), nextOffset, leftOutRows));
    }

    /** The next batch, or null when it was left out. */
    private LogBatch read(LogView now) throws IOException {
        try {
            return readFrom(now);
        } catch (IOException e) {
            LogView later = log.view();
            if (later.segments() == now.segments()) {
                throw e;
            }
            // The file was deleted while it was read: the rows are elsewhere.
            leave(null, 0);
            return readFrom(later);
        }
    }

    private void leave(BatchFile next, long start) {
        file = next;
        position = start;
        window = NONE;
        partial = NONE;
    }

    private LogBatch readFrom(LogView now) throws IOException {
        if (file == null || position >= now.length(file)) {
            find(now);
        }
        LogBatch batch = readBatch(now.length(file));
        if (nextOffset >= now.startOffset()) {
            view = now;
        }
        return batch;
    }

    private void find(LogView now) throws IOException {
        BatchFile found = fileOf(now);
        if (found == file) {
            throw found.damaged(position, "it ends there, before offset " + nextOffset);
        }
        found.checkHeader();
        long start =
                found.baseOffset() == nextOffset
                        ? SegmentHeader.LENGTH
                        : found.positionAtOrBefore(nextOffset);
        leave(found, start);
        try {
            skip(now.length(found));
        } catch (StorageException failure) {
            // When bytes were missing, the whole search is done again with what has arrived.
            leave(null, 0);
            throw failure;
        }
    }

    /** Goes to the batch that holds the offset. */
    private void skip(long end) throws IOException {
        while (true) {
            BatchHeader header = header(end);
            if (header.nextOffset() > nextOffset) {
                nextOffset = header.baseOffset();
                return;
            }
            position += header.totalLength();
        }
    }

    private BatchFile fileOf(LogView now) {
        Optional<Segment> local = now.local(nextOffset);
        if (local.isPresent()) {
            return local.get();
        }
        Optional<RemoteSegment> copy = now.extent().remote(nextOffset);
        if (copy.isEmpty()) {
            copy = view.extent().remote(nextOffset);
        }
        return copy.map(
                        segment ->
                                new RemoteFile(
                                        log.bucket(), segment, log.remoteReads(), this::loaded))
                .orElseThrow(() -> log.deleted(nextOffset));
    }

    private void loaded() {
        ready.run();
    }

    private LogBatch readBatch(long end) throws IOException {
        BatchHeader header = header(end);
        if (header.baseOffset() != nextOffset) {
            throw file.damaged(
                    position,
                    "offset " + header.baseOffset() + " stands where " + nextOffset + " belongs");
        }
        ByteBuffer bytes = bytes(header.totalLength());
        int found = BatchEncoder.checksum(bytes);
        if (found != header.checksum()) {
            throw file.damaged(
                    position,
                    String.format(
                            "the checksum of the %d bytes from there is %08x instead of %08x",
                            header.totalLength(), found, header.checksum()));
        }
        LogBatch batch = null;
        if (mayMatch(header, bytes)) {
            batch = batch(header, bytes).after(leftOutRows);
        } else {
            leftOutRows += header.rowCount();
            leftOutBytes += header.totalLength();
        }
        position += header.totalLength();
        nextOffset = header.nextOffset();
        return batch;
    }

    private boolean mayMatch(BatchHeader header, ByteBuffer bytes) {
        if (request.filter().isNone()) {
            return true;
        }
        ByteBuffer block = slice(bytes, BatchHeader.LENGTH, header.statisticsLength());
        return request.filter()
                .mayMatch(
                        header.schemaId(),
                        header.rowCount(),
                        StatisticsBlock.read(new WireInput(block)));
    }

    private LogBatch batch(BatchHeader header, ByteBuffer bytes) {
        ByteBuffer kinds = slice(bytes, header.kindsAt(), header.kindsLength());
        ByteBuffer metadata = slice(bytes, header.metadataAt(), header.metadataLength());
        ByteBuffer body = slice(bytes, header.bodyAt(), header.bodyLength());
        if (request.columnIndexes() != null) {
            ArrowProjection.Projected projected =
                    ArrowProjection.project(metadata, schema, request.columnIndexes());
            metadata = projected.metadata();
            body = projected.body(body);
            kinds = copy(kinds);
        } else if (bytes.array() == window.array()) {
            metadata = copy(metadata);
            body = copy(body);
            kinds = copy(kinds);
        }
        return new LogBatch(
                log.bucket(),
                header.baseOffset(),
                header.rowCount(),
                header.commitMillis(),
                header.schemaId(),
                kinds,
                metadata,
                body);
    }

    private static ByteBuffer slice(ByteBuffer bytes, int at, int length) {
        return bytes.slice(bytes.position() + at, length);
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        if (!bytes.hasRemaining()) {
            return NONE;
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(bytes.position(), copy);
        return ByteBuffer.wrap(copy);
    }

    /** The header of the batch at the position. */
    private BatchHeader header(long end) throws IOException {
        BatchHeader header = null;
        if (end - position >= BatchHeader.LENGTH) {
            fillWindow(BatchHeader.LENGTH, end);
            header = BatchHeader.read(window, (int) (position - windowStart));
        }
        if (header == null) {
            throw file.damaged(position, "no batch begins there");
        }
        if (header.totalLength() > end - position) {
            throw file.damaged(
                    position,
                    "a batch of "
                            + header.totalLength()
                            + " bytes begins there where "
                            + (end - position)
                            + " are left");
        }
        fillWindow(Math.min(header.totalLength(), WINDOW), end);
        return header;
    }

    /** Makes the window hold at least this many bytes from the position. */
    private void fillWindow(int needed, long end) throws IOException {
        if (window.capacity() > 0
                && position >= windowStart
                && windowStart + window.limit() >= position + needed) {
            return;
        }
        int length = (int) Math.min(WINDOW, end - position);
        if (window.capacity() < length) {
            window = ByteBuffer.allocate(length);
        }
        window.clear().limit(length);
        windowStart = position;
        try {
            file.read(position, window);
        } catch (IOException | StorageException e) {
            window = NONE;
            throw e;
        }
        if (window.hasRemaining()) {
            long fileEnd = position + window.position();
            window = NONE;
            throw file.damaged(fileEnd, "it ends there instead of at byte " + end);
        }
    }

    /** The whole batch at the position: a part of the window, or an array of its own. */
    private ByteBuffer bytes(int length) throws IOException {
        if (length <= WINDOW) {
            return window.duplicate()
                    .limit((int) (position - windowStart) + length)
                    .position((int) (position - windowStart));
        }
        if (partial == NONE) {
            partial = ByteBuffer.allocate(length);
            partial.put(window.duplicate().position((int) (position - windowStart)));
        }
        ByteBuffer bytes = partial;
        file.read(position + bytes.position(), bytes);
        partial = NONE;
        if (bytes.hasRemaining()) {
            throw file.damaged(
                    position + bytes.position(), "it ends there in the middle of a batch");
        }
        return bytes.flip();
    }

    @Override
    public void close() {
        window = NONE;
        partial = NONE;
        log.closed(this);
    }
}

package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.record.LogBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.table.Schema;
import io.flinkfluss.storage.api.wire.ArrowProjection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Reads batches one after another, each as a whole so that its checksum is always verified. Small
 * batches are read many at a time, into a window that is given up while the cursor waits.
 */
final class SegmentCursor implements LogCursor {
    private static final int WINDOW = 64 * 1024;
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final BucketLog log;
    private final ScanRequest request;
    private final Schema schema;

    /** Where the next batch begins, once the start was found. */
    private Segment segment;

    private long position;
    private long nextOffset;

    private ByteBuffer window = NONE;
    private long windowStart;

    SegmentCursor(BucketLog log, ScanRequest request, Schema schema) {
        this.log = log;
        this.request = request;
        this.schema = schema;
        this.nextOffset = request.startOffset();
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
    public Optional<LogBatch> next() {
        log.checkStart(nextOffset);
        BucketLog.View view = log.view();
        if (isFinished() || nextOffset >= view.endOffset()) {
            window = NONE;
            return Optional.empty();
        }
        try {
            if (segment == null) {
                find(view);
            }
            int index = view.segmentOf(segment.baseOffset());
            if (position >= view.length(index)) {
                enter(view.segments().get(index + 1), SegmentHeader.LENGTH);
                index++;
            }
            return Optional.of(readBatch(view.length(index)));
        } catch (IOException e) {
            throw log.readFailed(e);
        }
    }

    private void find(BucketLog.View view) throws IOException {
        int index = view.segmentOf(nextOffset);
        Segment found = view.segments().get(index);
        enter(found, found.positionAtOrBefore(nextOffset));
        long end = view.length(index);
        while (true) {
            BatchHeader header = header(end);
            if (header.nextOffset() > nextOffset) {
                nextOffset = header.baseOffset();
                return;
            }
            position += header.totalLength();
        }
    }

    private void enter(Segment next, long start) throws IOException {
        next.checkHeader();
        segment = next;
        position = start;
        window = NONE;
    }

    private LogBatch readBatch(long end) throws IOException {
        BatchHeader header = header(end);
        if (header.baseOffset() != nextOffset) {
            throw segment.damaged(
                    position,
                    "offset " + header.baseOffset() + " stands where " + nextOffset + " belongs");
        }
        ByteBuffer bytes = bytes(header.totalLength());
        int found = BatchEncoder.checksum(bytes);
        if (found != header.checksum()) {
            throw segment.damaged(
                    position,
                    String.format(
                            "the checksum of the %d bytes from there is %08x instead of %08x",
                            header.totalLength(), found, header.checksum()));
        }
        LogBatch batch = batch(header, bytes);
        position += header.totalLength();
        nextOffset = header.nextOffset();
        return batch;
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
            throw segment.damaged(position, "no batch begins there");
        }
        if (header.totalLength() > end - position) {
            throw segment.damaged(
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
        segment.read(position, window);
        if (window.hasRemaining()) {
            long fileEnd = position + window.position();
            window = NONE;
            throw segment.damaged(fileEnd, "it ends there instead of at byte " + end);
        }
    }

    /** The whole batch at the position: a part of the window, or an array of its own. */
    private ByteBuffer bytes(int length) throws IOException {
        if (length <= WINDOW) {
            return window.duplicate()
                    .limit((int) (position - windowStart) + length)
                    .position((int) (position - windowStart));
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        int inWindow = (int) (windowStart + window.limit() - position);
        bytes.put(window.duplicate().position((int) (position - windowStart)));
        segment.read(position + inWindow, bytes);
        if (bytes.hasRemaining()) {
            throw segment.damaged(
                    position + bytes.position(), "it ends there in the middle of a batch");
        }
        return bytes.flip();
    }

    @Override
    public void close() {
        window = NONE;
    }
}

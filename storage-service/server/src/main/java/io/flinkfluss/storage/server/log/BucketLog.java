package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Schema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One bucket's log: rows get dense offsets and are read back by anybody once they are published.
 * Appending, publishing and flushing belong to one thread; the other methods to any.
 */
public final class BucketLog {
    private final BucketId bucket;
    private final Path folder;
    private final LogStore store;

    private final List<Segment> segments = new ArrayList<>();
    private final Set<Segment> unforced = new LinkedHashSet<>();
    private long appendedEnd;

    private volatile View view;
    private volatile boolean dropped;

    /**
     * What readers may see.
     *
     * @param lastLength bytes of the last segment that are published; those before it are complete
     */
    record View(List<Segment> segments, long startOffset, long endOffset, long lastLength) {
        /** Index of the segment that holds this offset. */
        int segmentOf(long offset) {
            int low = 0;
            int high = segments.size() - 1;
            while (low < high) {
                int middle = (low + high + 1) >>> 1;
                if (segments.get(middle).baseOffset() <= offset) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return low;
        }

        long length(int segment) {
            return segment == segments.size() - 1 ? lastLength : segments.get(segment).length();
        }
    }

    BucketLog(BucketId bucket, Path folder, LogStore store) {
        this.bucket = bucket;
        this.folder = folder;
        this.store = store;
        this.view = new View(List.of(), 0, 0, 0);
    }

    /** Goes back to what a checkpoint knew: whatever was written later is deleted. */
    void restore(LogEnd end) throws IOException {
        for (Path file : Folders.list(folder)) {
            if (!Segment.isSegment(file)) {
                continue;
            }
            Segment segment = Segment.existing(bucket, file, store.files());
            if (segment.baseOffset() > end.segmentBase()) {
                segment.delete();
            } else {
                segments.add(segment);
            }
        }
        if (end.segmentBase() >= 0) {
            requireSegment(end.startOffset(), segments.isEmpty() ? null : segments.get(0));
            Segment last = segments.get(segments.size() - 1);
            requireSegment(end.segmentBase(), last);
            last.checkHeader();
            last.truncate(end.segmentLength());
        }
        appendedEnd = end.endOffset();
        publish();
    }

    private void requireSegment(long baseOffset, Segment found) {
        if (found == null || found.baseOffset() != baseOffset) {
            throw new StorageException(
                    ErrorCode.CORRUPT_DATA,
                    "the log of bucket "
                            + bucket
                            + " lacks its segment "
                            + baseOffset
                            + " in "
                            + folder
                            + " although the checkpoint knows it; restore the file from a backup"
                            + " or this node's data from another node.");
        }
    }

    public BucketId bucket() {
        return bucket;
    }

    /**
     * Adds a batch; readers see it after {@link #publish}.
     *
     * @param kinds one change kind per row, or empty when all are INSERT
     * @param commitMillis never less than that of an earlier batch
     * @return the offset of its first row
     */
    public long append(ArrowBatch batch, ByteBuffer kinds, WriterStamp stamp, long commitMillis) {
        long baseOffset = appendedEnd;
        BatchEncoder encoder = store.encoder();
        ByteBuffer bytes = encoder.encode(baseOffset, batch, kinds, stamp, commitMillis);
        try {
            Segment segment = segmentFor(bytes.remaining());
            segment.append(encoder.header(), bytes);
            unforced.add(segment);
        } catch (IOException e) {
            throw LogStore.failed("append to bucket " + bucket, folder, e);
        }
        store.markUnforced(this);
        appendedEnd += batch.rowCount();
        return baseOffset;
    }

    private Segment segmentFor(int bytes) throws IOException {
        Segment last = segments.isEmpty() ? null : segments.get(segments.size() - 1);
        boolean isFull =
                last != null
                        && last.length() > SegmentHeader.LENGTH
                        && last.length() + bytes > store.config().segmentBytes();
        if (last != null && !isFull) {
            last.keepIndex();
            return last;
        }
        if (last == null) {
            Files.createDirectories(folder);
        } else {
            last.finish();
        }
        Segment next = Segment.create(bucket, appendedEnd, folder, store.files());
        segments.add(next);
        return next;
    }

    /** The offset after the last appended row, published or not. */
    public long appendedEnd() {
        return appendedEnd;
    }

    /** Shows readers everything appended. */
    public void publish() {
        long start = segments.isEmpty() ? 0 : segments.get(0).baseOffset();
        long length = segments.isEmpty() ? 0 : segments.get(segments.size() - 1).length();
        List<Segment> shown = view.segments();
        if (shown.size() != segments.size()) {
            shown = List.copyOf(segments);
        }
        view = new View(shown, start, appendedEnd, length);
    }

    View view() {
        return view;
    }

    public long startOffset() {
        return view.startOffset();
    }

    /** The offset after the last published row. */
    public long endOffset() {
        return view.endOffset();
    }

    /** The first published offset committed at or after this time; the end when none. */
    public long offsetAt(long millis) {
        View now = view;
        try {
            int low = 0;
            int high = now.segments().size();
            // The answer is in the last segment that begins before the time, or right after it.
            while (low < high) {
                int middle = (low + high) >>> 1;
                Segment segment = now.segments().get(middle);
                if (segment.headerAt(SegmentHeader.LENGTH).commitMillis() < millis) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low == 0 ? now.startOffset() : offsetAt(now, low - 1, millis);
        } catch (IOException e) {
            throw readFailed(e);
        }
    }

    private long offsetAt(View now, int index, long millis) throws IOException {
        Segment segment = now.segments().get(index);
        long position = segment.positionBefore(millis);
        while (position < now.length(index)) {
            BatchHeader header = segment.headerAt(position);
            if (header.commitMillis() >= millis) {
                return header.baseOffset();
            }
            position += header.totalLength();
        }
        return index + 1 < now.segments().size()
                ? now.segments().get(index + 1).baseOffset()
                : now.endOffset();
    }

    /**
     * @throws StorageException OFFSET_OUT_OF_RANGE
     */
    public LogCursor open(ScanRequest request, Schema schema) {
        checkStart(request.startOffset());
        return new SegmentCursor(this, request, schema);
    }

    void checkStart(long offset) {
        checkExists();
        View now = view;
        if (offset < now.startOffset()) {
            throw new StorageException(
                    ErrorCode.OFFSET_OUT_OF_RANGE,
                    "offset "
                            + offset
                            + " of bucket "
                            + bucket
                            + " was deleted by retention; offsets "
                            + now.startOffset()
                            + " to "
                            + now.endOffset()
                            + " exist. Begin at the earliest offset, or read older rows from the"
                            + " lake.");
        }
    }

    void checkExists() {
        if (dropped) {
            throw new StorageException(
                    ErrorCode.TABLE_NOT_FOUND,
                    "the table of bucket " + bucket + " was dropped while it was read");
        }
    }

    StorageException readFailed(IOException cause) {
        checkExists();
        return LogStore.failed("read bucket " + bucket, folder, cause);
    }

    /** From now on readers get TABLE_NOT_FOUND. */
    void drop() {
        dropped = true;
    }

    /** Makes everything appended durable, the names of new files included. */
    void force() throws IOException {
        for (Segment segment : unforced) {
            segment.force();
            segment.storeIndex();
        }
        unforced.clear();
        Folders.force(folder);
    }

    LogEnd end() {
        if (segments.isEmpty()) {
            return LogEnd.EMPTY;
        }
        Segment last = segments.get(segments.size() - 1);
        long start = segments.get(0).baseOffset();
        return new LogEnd(start, appendedEnd, last.baseOffset(), last.length());
    }
}

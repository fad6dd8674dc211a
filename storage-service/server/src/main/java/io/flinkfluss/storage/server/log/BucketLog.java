package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.ScanRequest;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One bucket's log: rows get dense offsets and are read back by anybody once they are published.
 * Appending, publishing and flushing belong to one thread; the other methods to any.
 */
public final class BucketLog {
    private final BucketId bucket;
    private final Path folder;
    private final LogStore store;

    /** Up to the end without a gap; those before {@code localStart} wait to be deleted. */
    private volatile List<Segment> segments = List.of();

    private final ReaderPins pins = new ReaderPins();
    private long appendedEnd;
    private LogExtent extent = LogExtent.EMPTY;

    /** Held while segments are added or removed and while a view is made. */
    private final Object changing = new Object();

    private volatile LogView view = LogView.EMPTY;
    private volatile boolean dropped;

    BucketLog(BucketId bucket, Path folder, LogStore store) {
        this.bucket = bucket;
        this.folder = folder;
        this.store = store;
    }

    /** Goes back to what a checkpoint knew: whatever was written later is deleted. */
    void restore(LogEnd end) throws IOException {
        List<Segment> found = new ArrayList<>();
        for (Path file : Folders.list(folder)) {
            if (!Segment.isSegment(file)) {
                continue;
            }
            Segment segment = Segment.existing(bucket, file, store.files());
            if (segment.baseOffset() > end.segmentBase()) {
                segment.delete();
            } else {
                found.add(segment);
            }
        }
        extent = new LogExtent(end.startOffset(), end.localStart(), end.remote());
        if (end.segmentBase() >= 0) {
            deleteBeforeGaps(found);
            requireSegment(
                    end.localStart(),
                    !found.isEmpty() && found.get(0).baseOffset() <= end.localStart());
            Segment last = found.get(found.size() - 1);
            requireSegment(end.segmentBase(), last.baseOffset() == end.segmentBase());
            last.checkHeader();
            last.truncate(end.segmentLength());
        }
        segments = List.copyOf(found);
        appendedEnd = end.endOffset();
        publish();
    }

    /** A power cut may have undone some of the deletions of files that are not needed. */
    private void deleteBeforeGaps(List<Segment> found) throws IOException {
        int first = 0;
        while (first + 1 < found.size()
                && found.get(first + 1).baseOffset() <= extent.localStart()) {
            first++;
        }
        while (first > 0 && reaches(found.get(first - 1), found.get(first).baseOffset())) {
            first--;
        }
        for (Segment segment : found.subList(0, first)) {
            segment.delete();
        }
        found.subList(0, first).clear();
    }

    private static boolean reaches(Segment segment, long offset) throws IOException {
        try {
            return segment.lastHeader().filter(last -> last.nextOffset() == offset).isPresent();
        } catch (StorageException damaged) {
            return false;
        }
    }

    private void requireSegment(long offset, boolean isThere) {
        if (!isThere) {
            throw new StorageException(
                    ErrorCode.CORRUPT_DATA,
                    "the log of bucket "
                            + bucket
                            + " lacks its segment of offset "
                            + offset
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
            store.unforced().grew(segment, bytes.limit());
        } catch (IOException e) {
            throw LogStore.failed("append to bucket " + bucket, folder, e);
        }
        appendedEnd += batch.rowCount();
        return baseOffset;
    }

    private Segment segmentFor(int bytes) throws IOException {
        Segment last = segments.isEmpty() ? null : segments.get(segments.size() - 1);
        if (last != null
                && (!last.hasRows() || last.length() + bytes <= store.config().segmentBytes())) {
            last.keepIndex();
            return last;
        }
        return nextSegment();
    }

    private Segment nextSegment() throws IOException {
        if (segments.isEmpty()) {
            StaleFiles.takeOver(folder, Segment.file(folder, appendedEnd));
        } else {
            segments.get(segments.size() - 1).finish();
        }
        Segment next = Segment.create(bucket, appendedEnd, folder, store.files());
        List<Segment> all = new ArrayList<>();
        synchronized (changing) {
            all.addAll(segments);
            all.add(next);
            segments = List.copyOf(all);
        }
        store.unforced().changed(folder);
        return next;
    }

    /** Ends the segment being written if it has rows before this offset. */
    public void roll(long offset) {
        if (segments.isEmpty()) {
            return;
        }
        Segment last = segments.get(segments.size() - 1);
        if (last.hasRows() && last.baseOffset() < offset) {
            try {
                store.unforced().grew(nextSegment(), 0);
            } catch (IOException e) {
                throw LogStore.failed("begin a segment of bucket " + bucket, folder, e);
            }
        }
    }

    /**
     * Gives up rows and local copies; going back, or past what there is, changes nothing. Files are
     * deleted later, by {@link #deleteFiles}.
     *
     * @param newStart the first offset that exists from now on
     * @param newLocalStart the first offset that is kept on the local disk; what is before it and
     *     not in remote storage stays
     */
    public void trim(long newStart, long newLocalStart) {
        extent = extent.trim(Math.min(newStart, appendedEnd), newLocalStart);
    }

    /**
     * Makes known that there is a copy in remote storage.
     *
     * @return false when it does not follow the copies that are known, or adds nothing; then
     *     nothing changes
     */
    public boolean addRemote(RemoteSegment copy) {
        Optional<LogExtent> longer =
                copy.endOffset() > appendedEnd ? Optional.empty() : extent.with(copy);
        longer.ifPresent(changed -> extent = changed);
        return longer.isPresent();
    }

    /**
     * Deletes local files that nobody needs.
     *
     * @param neededFrom no checkpoint that is kept needs local rows before it
     */
    void deleteFiles(long neededFrom) throws IOException {
        List<Segment> deleted;
        synchronized (changing) {
            LogExtent shown = view.extent();
            deleted =
                    unneeded(
                            Math.min(neededFrom, shown.localStart()),
                            shown.startOffset(),
                            view.segments());
            if (deleted.isEmpty()) {
                return;
            }
            segments = List.copyOf(segments.subList(deleted.size(), segments.size()));
            List<Segment> left = view.segments().subList(deleted.size(), view.segments().size());
            view = new LogView(List.copyOf(left), shown, view.endOffset(), view.lastLength());
        }
        for (Segment segment : deleted) {
            store.unforced().forget(segment);
            segment.delete();
        }
        store.unforced().changed(folder);
    }

    private List<Segment> unneeded(long needed, long start, List<Segment> from) {
        if (from.size() < 2 || from.get(1).baseOffset() > needed) {
            return List.of();
        }
        long read = pins.lowestOpen();
        int count = 0;
        while (count + 1 < from.size()) {
            long end = from.get(count + 1).baseOffset();
            // A reader of rows that exist goes on in the remote copy; others have only this file.
            boolean isRead = end <= start && read < end;
            if (end > needed || isRead) {
                break;
            }
            count++;
        }
        return List.copyOf(from.subList(0, count));
    }

    /** The offset after the last appended row, published or not. */
    public long appendedEnd() {
        return appendedEnd;
    }

    /** Shows readers everything that was done. */
    public void publish() {
        synchronized (changing) {
            long length = segments.isEmpty() ? 0 : segments.get(segments.size() - 1).length();
            view = new LogView(segments, extent, appendedEnd, length);
        }
    }

    LogView view() {
        return view;
    }

    RemoteReads remoteReads() {
        return store.remoteReads();
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
        try {
            return new TimeSearch(bucket, view, store.remoteReads()).find(millis);
        } catch (IOException e) {
            throw readFailed(e);
        }
    }

    /**
     * @throws StorageException OFFSET_OUT_OF_RANGE
     */
    public LogCursor open(ScanRequest request, Schema schema) {
        SegmentCursor cursor = new SegmentCursor(this, request, schema);
        // First, so that whoever deletes files after a later trim sees it.
        pins.add(cursor);
        try {
            checkExists();
            if (request.startOffset() < view.startOffset()) {
                throw deleted(request.startOffset());
            }
            return cursor;
        } catch (StorageException e) {
            pins.remove(cursor);
            throw e;
        }
    }

    void closed(LogCursor cursor) {
        pins.remove(cursor);
    }

    StorageException deleted(long offset) {
        LogView now = view;
        return new StorageException(
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

    /** Copies that are known in remote storage. Any thread. */
    public List<RemoteSegment> remoteSegments() {
        return view.extent().remote();
    }

    /**
     * Writes a copy of a local segment that is complete, with its index.
     *
     * @throws StorageException CORRUPT_DATA, OFFSET_OUT_OF_RANGE when there is no such segment,
     *     UNREACHABLE when the copy cannot be written
     */
    public RemoteSegment copy(long baseOffset, String name, OutputStream target) {
        List<Segment> shown = view.segments();
        for (int i = 0; i + 1 < shown.size(); i++) {
            if (shown.get(i).baseOffset() == baseOffset) {
                return new SegmentCopy(shown.get(i), target).write(name);
            }
        }
        throw deleted(baseOffset);
    }

    /**
     * What retention may decide by; also notes which readers get on.
     *
     * @param readerPatience milliseconds that a reader counts without progress
     */
    public LogFacts facts(long nowMillis, long readerPatience) {
        pins.look(nowMillis, view.endOffset(), readerPatience);
        return facts();
    }

    /** What copying may decide by. */
    public LogFacts facts() {
        LogView now = view;
        try {
            return new LogFacts(
                    bucket,
                    now.startOffset(),
                    now.extent().localStart(),
                    now.extent().remoteEnd(),
                    now.endOffset(),
                    now.facts(),
                    pins.lowest());
        } catch (IOException e) {
            throw readFailed(e);
        }
    }

    void checkExists() {
        if (store.isRetired()) {
            throw new StorageException(
                    ErrorCode.NOT_READY,
                    "the replica of bucket "
                            + bucket
                            + " on this node is being replaced by a checkpoint from another node;"
                            + " read again");
        }
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

    LogEnd end() {
        if (segments.isEmpty()) {
            return LogEnd.EMPTY;
        }
        Segment last = segments.get(segments.size() - 1);
        return new LogEnd(
                extent.startOffset(),
                extent.localStart(),
                appendedEnd,
                last.baseOffset(),
                last.length(),
                extent.remote());
    }
}

package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One file of a bucket's log: a header, then batches. Written by one thread; any thread may read
 * what was written before its log published it.
 */
final class Segment {
    private static final String SUFFIX = ".log";

    private final BucketId bucket;
    private final long baseOffset;
    private final Path file;
    private final OpenFiles files;

    /** Grows while this is the last segment of its log. */
    private volatile long length;

    /** Kept for the segment being written; the index of a closed one is read when it is needed. */
    private volatile SparseIndex liveIndex;

    private Segment(BucketId bucket, long baseOffset, Path file, OpenFiles files, long length) {
        this.bucket = bucket;
        this.baseOffset = baseOffset;
        this.file = file;
        this.files = files;
        this.length = length;
    }

    static Segment create(BucketId bucket, long baseOffset, Path folder, OpenFiles files)
            throws IOException {
        Path file = folder.resolve(String.format("%020d", baseOffset) + SUFFIX);
        files.create(file);
        ByteBuffer header = SegmentHeader.encode(bucket, baseOffset);
        files.write(file, 0, header);
        Segment segment = new Segment(bucket, baseOffset, file, files, SegmentHeader.LENGTH);
        segment.liveIndex = new SparseIndex();
        return segment;
    }

    static Segment existing(BucketId bucket, Path file, OpenFiles files) throws IOException {
        return new Segment(bucket, baseOffset(file), file, files, Files.size(file));
    }

    static boolean isSegment(Path file) {
        return file.getFileName().toString().matches("\\d{20}\\.log");
    }

    static long baseOffset(Path file) {
        return Long.parseLong(file.getFileName().toString().substring(0, 20));
    }

    long baseOffset() {
        return baseOffset;
    }

    long length() {
        return length;
    }

    Path file() {
        return file;
    }

    private Path indexFile() {
        return file.resolveSibling(String.format("%020d.index", baseOffset));
    }

    /** Adds a whole batch at the end. */
    void append(BatchHeader header, ByteBuffer batch) throws IOException {
        long position = length;
        SparseIndex index = index();
        files.write(file, position, batch);
        index.add(header.baseOffset(), position, header.commitMillis());
        length = position + header.totalLength();
    }

    void read(long position, ByteBuffer target) throws IOException {
        files.read(file, position, target);
    }

    void force() throws IOException {
        files.force(file);
    }

    /** Stores the index beside the segment; it need not be durable. */
    void storeIndex() throws IOException {
        SparseIndex index = liveIndex;
        if (index != null && index.size() > 1) {
            Files.write(indexFile(), index.encode().array());
        }
    }

    /** Ends writing: the index is stored and need not stay in memory. */
    void finish() throws IOException {
        storeIndex();
        liveIndex = null;
    }

    /** Where to look for the batch that holds this offset. */
    long positionAtOrBefore(long offset) throws IOException {
        return checked(index().atOrBefore(offset));
    }

    /** Where to look for the first batch committed at or after this time. */
    long positionBefore(long commitMillis) throws IOException {
        return checked(index().before(commitMillis));
    }

    private long checked(Optional<SparseIndex.Entry> entry) throws IOException {
        if (entry.isEmpty()) {
            return SegmentHeader.LENGTH;
        }
        // Where a stored index does not fit its segment, the search begins at the front.
        return tryHeaderAt(entry.get().position())
                .filter(found -> found.baseOffset() == entry.get().offset())
                .map(found -> entry.get().position())
                .orElse((long) SegmentHeader.LENGTH);
    }

    private SparseIndex index() throws IOException {
        SparseIndex index = liveIndex;
        if (index != null) {
            return index;
        }
        Optional<SparseIndex> stored = SparseIndex.load(indexFile(), length);
        return stored.isPresent() ? stored.get() : rebuildIndex();
    }

    /** Keeps the index in memory, for a segment that will be appended to. */
    void keepIndex() throws IOException {
        liveIndex = index();
    }

    private SparseIndex rebuildIndex() throws IOException {
        SparseIndex index = new SparseIndex();
        long end = length;
        long position = SegmentHeader.LENGTH;
        while (position < end) {
            BatchHeader header = headerAt(position);
            index.add(header.baseOffset(), position, header.commitMillis());
            position += header.totalLength();
        }
        return index;
    }

    /** The header of the batch there. */
    BatchHeader headerAt(long position) throws IOException {
        return tryHeaderAt(position).orElseThrow(() -> damaged(position, "no batch begins there"));
    }

    private Optional<BatchHeader> tryHeaderAt(long position) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BatchHeader.LENGTH);
        read(position, bytes);
        return bytes.hasRemaining()
                ? Optional.empty()
                : Optional.ofNullable(BatchHeader.read(bytes, 0));
    }

    /** Fails when the file's own header is not that of this segment. */
    void checkHeader() throws IOException {
        ByteBuffer found = ByteBuffer.allocate(SegmentHeader.LENGTH);
        read(0, found);
        if (!found.flip().equals(SegmentHeader.encode(bucket, baseOffset))) {
            throw damaged(0, "it does not begin with the header of this bucket and offset");
        }
    }

    void truncate(long newLength) throws IOException {
        if (length < newLength) {
            throw damaged(length, "it ends there but the checkpoint knows " + newLength + " bytes");
        }
        if (length > newLength) {
            files.truncate(file, newLength);
            length = newLength;
        }
    }

    void delete() throws IOException {
        Files.deleteIfExists(indexFile());
        Files.deleteIfExists(file);
    }

    StorageException damaged(long position, String found) {
        return new StorageException(
                ErrorCode.CORRUPT_DATA,
                "the log of bucket "
                        + bucket
                        + " is damaged in "
                        + file
                        + " at byte "
                        + position
                        + ": "
                        + found
                        + ". Nothing from there on is served; check the disk, then restore this"
                        + " file from a backup or this node's data from another node.");
    }
}

package io.flinkfluss.storage.server.log;

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
final class Segment extends BatchFile {
    private static final String SUFFIX = ".log";

    private final Path file;
    private final OpenFiles files;

    /** Grows while this is the last segment of its log. */
    private volatile long length;

    /** Kept for the segment being written; the index of a closed one is read when it is needed. */
    private volatile SparseIndex liveIndex;

    /** Commit times of the first and the last batch; 0 until they are known. */
    private volatile long firstMillis;

    private volatile long lastMillis;

    private Segment(BucketId bucket, long baseOffset, Path file, OpenFiles files, long length) {
        super(bucket, baseOffset);
        this.file = file;
        this.files = files;
        this.length = length;
    }

    static Segment create(BucketId bucket, long baseOffset, Path folder, OpenFiles files)
            throws IOException {
        Path file = file(folder, baseOffset);
        files.create(file, SegmentHeader.LENGTH);
        ByteBuffer header = SegmentHeader.encode(bucket, baseOffset);
        files.write(file, 0, header);
        Segment segment = new Segment(bucket, baseOffset, file, files, SegmentHeader.LENGTH);
        segment.liveIndex = new SparseIndex();
        return segment;
    }

    static Segment existing(BucketId bucket, Path file, OpenFiles files) throws IOException {
        return new Segment(bucket, baseOffset(file), file, files, Files.size(file));
    }

    static Path file(Path folder, long baseOffset) {
        return folder.resolve(String.format("%020d", baseOffset) + SUFFIX);
    }

    static boolean isSegment(Path file) {
        return file.getFileName().toString().matches("\\d{20}\\.log");
    }

    static long baseOffset(Path file) {
        return Long.parseLong(file.getFileName().toString().substring(0, 20));
    }

    @Override
    long length() {
        return length;
    }

    @Override
    String place() {
        return file.toString();
    }

    boolean hasRows() {
        return length > SegmentHeader.LENGTH;
    }

    private Path indexFile() {
        return file.resolveSibling(String.format("%020d.index", baseOffset()));
    }

    /** Adds a whole batch at the end. */
    void append(BatchHeader header, ByteBuffer batch) throws IOException {
        long position = length;
        SparseIndex index = index();
        files.write(file, position, batch);
        index.add(header.baseOffset(), position, header.commitMillis());
        if (!hasRows()) {
            firstMillis = header.commitMillis();
        }
        lastMillis = header.commitMillis();
        length = position + header.totalLength();
    }

    @Override
    long firstMillis() throws IOException {
        if (!hasRows()) {
            return Long.MAX_VALUE;
        }
        if (firstMillis == 0) {
            firstMillis = headerAt(SegmentHeader.LENGTH).commitMillis();
        }
        return firstMillis;
    }

    /** Commit time of the last batch, of a segment that has one. */
    long lastMillis() throws IOException {
        if (lastMillis == 0) {
            lastMillis = lastHeader().orElseThrow().commitMillis();
        }
        return lastMillis;
    }

    @Override
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

    @Override
    SparseIndex index() throws IOException {
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

    void truncate(long newLength) throws IOException {
        if (length < newLength) {
            throw damaged(length, "it ends there but the checkpoint knows " + newLength + " bytes");
        }
        if (length > newLength) {
            files.truncate(file, newLength);
            length = newLength;
        }
    }

    /** Readers that are in it go on elsewhere. */
    void delete() throws IOException {
        Files.deleteIfExists(indexFile());
        Files.deleteIfExists(file);
        files.forget(file);
    }
}

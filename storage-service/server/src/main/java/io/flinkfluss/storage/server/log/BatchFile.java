package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A segment as readers see it, wherever its bytes are: a header, then batches. */
abstract class BatchFile {
    private final BucketId bucket;
    private final long baseOffset;

    BatchFile(BucketId bucket, long baseOffset) {
        this.bucket = bucket;
        this.baseOffset = baseOffset;
    }

    final BucketId bucket() {
        return bucket;
    }

    final long baseOffset() {
        return baseOffset;
    }

    /** Bytes of the segment, its header included. */
    abstract long length();

    /** Fills the target, or ends early at the end of the file. */
    abstract void read(long position, ByteBuffer target) throws IOException;

    abstract SparseIndex index() throws IOException;

    /** Commit time of the first batch; {@link Long#MAX_VALUE} when there is none yet. */
    abstract long firstMillis() throws IOException;

    /** Names the file in errors. */
    abstract String place();

    /** Where to look for the batch that holds this offset. */
    final long positionAtOrBefore(long offset) throws IOException {
        return checked(index().atOrBefore(offset));
    }

    /** Where to look for the first batch committed at or after this time. */
    final long positionBefore(long commitMillis) throws IOException {
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

    final SparseIndex rebuildIndex() throws IOException {
        SparseIndex index = new SparseIndex();
        long end = length();
        long position = SegmentHeader.LENGTH;
        while (position < end) {
            BatchHeader header = headerAt(position);
            index.add(header.baseOffset(), position, header.commitMillis());
            position += header.totalLength();
        }
        return index;
    }

    /** The header of the last batch; empty when there is none yet. */
    final Optional<BatchHeader> lastHeader() throws IOException {
        long end = length();
        long position = positionAtOrBefore(Long.MAX_VALUE);
        BatchHeader last = null;
        while (position < end) {
            last = headerAt(position);
            position += last.totalLength();
        }
        return Optional.ofNullable(last);
    }

    /** The header of the batch there. */
    final BatchHeader headerAt(long position) throws IOException {
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
    final void checkHeader() throws IOException {
        ByteBuffer found = ByteBuffer.allocate(SegmentHeader.LENGTH);
        read(0, found);
        if (!SegmentHeader.matches(found.flip(), bucket, baseOffset)) {
            throw damaged(0, "it does not begin with the header of this bucket and offset");
        }
    }

    final StorageException damaged(long position, String found) {
        return new StorageException(
                ErrorCode.CORRUPT_DATA,
                "the log of bucket "
                        + bucket
                        + " is damaged in "
                        + place()
                        + " at byte "
                        + position
                        + ": "
                        + found
                        + ". Nothing from there on is served; check the disk, then restore this"
                        + " file from a backup or this node's data from another node.");
    }
}

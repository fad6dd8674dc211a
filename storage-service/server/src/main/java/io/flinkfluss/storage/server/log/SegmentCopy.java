package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Writes a segment and then its index. Every batch is checked, so that damage is not copied to
 * where the last good copy might be deleted for it. Used once.
 */
final class SegmentCopy {
    private final Segment segment;
    private final OutputStream target;
    private final CRC32C checksum = new CRC32C();
    private final SparseIndex index = new SparseIndex();
    private ByteBuffer batch = ByteBuffer.allocate(64 * 1024);

    SegmentCopy(Segment segment, OutputStream target) {
        this.segment = segment;
        this.target = target;
    }

    RemoteSegment write(String name) {
        try {
            segment.checkHeader();
            long length = segment.length();
            write(read(0, SegmentHeader.LENGTH));
            BatchHeader last = null;
            long position = SegmentHeader.LENGTH;
            while (position < length) {
                BatchHeader header = segment.headerAt(position);
                check(header, position, last);
                write(batch);
                index.add(header.baseOffset(), position, header.commitMillis());
                position += header.totalLength();
                last = header;
            }
            if (last == null) {
                throw segment.damaged(position, "a complete segment has rows");
            }
            ByteBuffer encoded = index.encode();
            int indexLength = encoded.remaining();
            write(encoded);
            return new RemoteSegment(
                    name,
                    segment.baseOffset(),
                    last.nextOffset(),
                    length,
                    indexLength,
                    (int) checksum.getValue(),
                    segment.firstMillis(),
                    last.commitMillis(),
                    last.schemaId());
        } catch (IOException e) {
            throw LogStore.failed("copy a segment", java.nio.file.Path.of(segment.place()), e);
        }
    }

    private void check(BatchHeader header, long position, BatchHeader before) throws IOException {
        long expected = before == null ? segment.baseOffset() : before.nextOffset();
        if (header.baseOffset() != expected
                || header.totalLength() > segment.length() - position
                || BatchEncoder.checksum(read(position, header.totalLength()))
                        != header.checksum()) {
            throw segment.damaged(position, "the batch there is not as it was written");
        }
    }

    private ByteBuffer read(long position, int length) throws IOException {
        if (batch.capacity() < length) {
            batch = ByteBuffer.allocate(length);
        }
        batch.clear().limit(length);
        segment.read(position, batch);
        if (batch.hasRemaining()) {
            throw segment.damaged(position + batch.position(), "it ends there");
        }
        return batch.flip();
    }

    private void write(ByteBuffer bytes) {
        checksum.update(bytes.duplicate());
        try {
            target.write(bytes.array(), bytes.position(), bytes.remaining());
        } catch (IOException e) {
            throw new StorageException(
                    ErrorCode.UNREACHABLE,
                    "could not write a copy of " + segment.place() + ": " + e,
                    e);
        }
    }
}

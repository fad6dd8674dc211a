package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.table.BucketId;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The first bytes of a segment file: which log it belongs to, so that a misplaced file shows. */
final class SegmentHeader {
    static final int LENGTH = 48;
    private static final int CHECKED = 40;
    private static final long MAGIC = 0x464C555353534547L;
    static final Format FORMAT = Format.first("log segment", "log-segment.md");

    private SegmentHeader() {}

    /**
     * Looks whether these bytes are the header of this segment.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException INCOMPATIBLE_VERSION when it is
     *     whole and of a newer release
     */
    static boolean matches(ByteBuffer header, BucketId bucket, long baseOffset) {
        if (header.equals(encode(bucket, baseOffset))) {
            return true;
        }
        if (header.remaining() < LENGTH) {
            return false;
        }
        CRC32C checksum = new CRC32C();
        checksum.update(header.slice(0, CHECKED));
        if (header.getLong(0) == MAGIC && header.getInt(CHECKED) == (int) checksum.getValue()) {
            FORMAT.check(header.getInt(Long.BYTES));
        }
        return false;
    }

    static ByteBuffer encode(BucketId bucket, long baseOffset) {
        ByteBuffer header = ByteBuffer.allocate(LENGTH);
        header.putLong(MAGIC).putInt(FORMAT.newest()).putInt(bucket.bucket());
        header.putLong(bucket.table().value()).putLong(bucket.partition()).putLong(baseOffset);
        CRC32C checksum = new CRC32C();
        checksum.update(header.array(), 0, header.position());
        return header.putInt((int) checksum.getValue()).putInt(0).flip();
    }
}

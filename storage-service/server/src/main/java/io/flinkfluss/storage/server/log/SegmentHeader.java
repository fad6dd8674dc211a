package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.table.BucketId;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The first bytes of a segment file: which log it belongs to, so that a misplaced file shows. */
final class SegmentHeader {
    static final int LENGTH = 48;
    private static final long MAGIC = 0x464C555353534547L;
    private static final int VERSION = 1;

    private SegmentHeader() {}

    static ByteBuffer encode(BucketId bucket, long baseOffset) {
        ByteBuffer header = ByteBuffer.allocate(LENGTH);
        header.putLong(MAGIC).putInt(VERSION).putInt(bucket.bucket());
        header.putLong(bucket.table().value()).putLong(bucket.partition()).putLong(baseOffset);
        CRC32C checksum = new CRC32C();
        checksum.update(header.array(), 0, header.position());
        return header.putInt((int) checksum.getValue()).putInt(0).flip();
    }
}

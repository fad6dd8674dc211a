package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.record.ArrowBatch;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.wire.WireOutput;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Lays out batches in one reused buffer. Used by one thread. */
final class BatchEncoder {
    /** A buffer larger than this is not kept. */
    private static final int KEPT = 4 << 20;

    private ByteBuffer buffer = ByteBuffer.allocateDirect(64 * 1024);
    private BatchHeader header;

    /** The batch's bytes; valid until the next call. */
    ByteBuffer encode(
            long baseOffset,
            ArrowBatch batch,
            ByteBuffer kinds,
            WriterStamp stamp,
            long commitMillis) {
        WireOutput statistics = new WireOutput(batch.statistics().size() * 32);
        StatisticsBlock.write(statistics, batch.statistics());
        int metadata = batch.metadata().remaining();
        int body = batch.body().remaining();
        long total = BatchHeader.totalLength(statistics.size(), kinds.remaining(), metadata, body);
        header =
                new BatchHeader(
                        Math.toIntExact(total),
                        0,
                        baseOffset,
                        batch.rowCount(),
                        batch.schemaId(),
                        commitMillis,
                        stamp,
                        statistics.size(),
                        kinds.remaining(),
                        metadata,
                        body);
        ByteBuffer target = target(header.totalLength());
        header.write(target);
        target.put(statistics.toByteBuffer());
        target.put(kinds.duplicate());
        pad(target);
        target.put(batch.metadata().duplicate());
        pad(target);
        target.put(batch.body().duplicate());
        pad(target);
        target.flip();
        target.putInt(BatchHeader.CHECKSUM_AT, checksum(target));
        return target;
    }

    /** Of the batch that was encoded last; its checksum is not filled in. */
    BatchHeader header() {
        return header;
    }

    /** CRC32C of a whole batch's checked part. */
    static int checksum(ByteBuffer batch) {
        CRC32C checksum = new CRC32C();
        checksum.update(batch.duplicate().position(batch.position() + BatchHeader.CHECKED_FROM));
        return (int) checksum.getValue();
    }

    private ByteBuffer target(int length) {
        if (buffer.capacity() < length || (buffer.capacity() > KEPT && length <= KEPT)) {
            buffer = ByteBuffer.allocateDirect(Math.max(length, 64 * 1024));
        }
        return buffer.clear();
    }

    private static void pad(ByteBuffer target) {
        while ((target.position() & 7) != 0) {
            target.put((byte) 0);
        }
    }
}

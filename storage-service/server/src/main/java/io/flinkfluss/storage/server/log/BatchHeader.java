package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.format.Format;
import io.flinkfluss.storage.api.record.WriterStamp;
import java.nio.ByteBuffer;

/**
 * The fixed part of a stored batch (docs/formats/log-segment.md). After it follow statistics,
 * kinds, Arrow metadata and Arrow body; each of metadata and body begins at a multiple of 8.
 *
 * @param totalLength bytes of the whole batch, this header and padding included
 * @param checksum CRC32C of everything after the checksum
 * @param kindsLength 0 or the row count
 */
record BatchHeader(
        int totalLength,
        int checksum,
        long baseOffset,
        int rowCount,
        int schemaId,
        long commitMillis,
        WriterStamp stamp,
        int statisticsLength,
        int kindsLength,
        int metadataLength,
        int bodyLength) {
    static final int LENGTH = 72;
    static final int CHECKSUM_AT = 12;
    static final int CHECKED_FROM = 16;
    private static final int MAGIC = 0x464C5342;
    static final Format FORMAT = Format.first("log batch", "log-segment.md");
    private static final int VERSION_AND_RESERVED = FORMAT.newest() << 24;

    static int align(int length) {
        return (length + 7) & ~7;
    }

    /** Bytes that a batch with parts of these lengths takes. */
    static long totalLength(long statistics, long kinds, long metadata, long body) {
        return LENGTH + roundUp(statistics + kinds) + roundUp(metadata) + roundUp(body);
    }

    private static long roundUp(long length) {
        return (length + 7) & ~7L;
    }

    long nextOffset() {
        return baseOffset + rowCount;
    }

    int kindsAt() {
        return LENGTH + statisticsLength;
    }

    int metadataAt() {
        return LENGTH + align(statisticsLength + kindsLength);
    }

    int bodyAt() {
        return metadataAt() + align(metadataLength);
    }

    /** Writes all but the checksum, which stays 0. */
    void write(ByteBuffer target) {
        target.putInt(MAGIC).putInt(VERSION_AND_RESERVED).putInt(totalLength).putInt(0);
        target.putLong(baseOffset).putInt(rowCount).putInt(schemaId).putLong(commitMillis);
        target.putLong(stamp.writerId()).putInt(stamp.sequence());
        target.putInt(statisticsLength).putInt(kindsLength);
        target.putInt(metadataLength).putInt(bodyLength).putInt(0);
    }

    /** The header at this place, or null when the bytes there cannot be one. */
    static BatchHeader read(ByteBuffer source, int at) {
        if (source.getInt(at) != MAGIC || source.getInt(at + 4) != VERSION_AND_RESERVED) {
            return null;
        }
        BatchHeader header =
                new BatchHeader(
                        source.getInt(at + 8),
                        source.getInt(at + CHECKSUM_AT),
                        source.getLong(at + 16),
                        source.getInt(at + 24),
                        source.getInt(at + 28),
                        source.getLong(at + 32),
                        new WriterStamp(source.getLong(at + 40), source.getInt(at + 48)),
                        source.getInt(at + 52),
                        source.getInt(at + 56),
                        source.getInt(at + 60),
                        source.getInt(at + 64));
        return header.isPlausible() ? header : null;
    }

    private boolean isPlausible() {
        return baseOffset >= 0
                && rowCount > 0
                && statisticsLength >= 0
                && (kindsLength == 0 || kindsLength == rowCount)
                && metadataLength > 0
                && bodyLength >= 0
                && totalLength
                        == totalLength(statisticsLength, kindsLength, metadataLength, bodyLength);
    }
}

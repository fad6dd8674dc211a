package io.flinkfluss.storage.server.log;

/**
 * A copy of a whole segment in remote storage (docs/formats/remote-log.md).
 *
 * @param name of the object, below the folder of remote storage; never used twice
 * @param baseOffset of the first row
 * @param endOffset after the last row
 * @param length bytes of the segment; its index follows in the same object
 * @param indexLength bytes of the index
 * @param checksum CRC32C of the whole object
 * @param firstMillis commit time of the first batch
 * @param lastMillis commit time of the last batch
 * @param schemaId of the last batch
 */
public record RemoteSegment(
        String name,
        long baseOffset,
        long endOffset,
        long length,
        int indexLength,
        int checksum,
        long firstMillis,
        long lastMillis,
        int schemaId) {
    public RemoteSegment {
        if (baseOffset < 0 || endOffset <= baseOffset || length <= 0 || indexLength < 0) {
            throw new IllegalArgumentException(
                    "a segment has rows and bytes, not offsets "
                            + baseOffset
                            + " to "
                            + endOffset
                            + " in "
                            + length
                            + " bytes with an index of "
                            + indexLength);
        }
    }

    /** Bytes of the object. */
    public long objectLength() {
        return length + indexLength;
    }
}

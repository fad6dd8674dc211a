package io.flinkfluss.storage.server.log;

/**
 * What retention knows of a segment, local or remote.
 *
 * @param endOffset offset after its last row
 * @param firstMillis commit time of its first batch
 * @param lastMillis commit time of its last batch; {@link Long#MAX_VALUE} while it is written
 */
public record SegmentFacts(
        long baseOffset, long endOffset, long bytes, long firstMillis, long lastMillis) {
    /** Whether nothing will be added to it. */
    public boolean isSealed() {
        return lastMillis != Long.MAX_VALUE;
    }
}

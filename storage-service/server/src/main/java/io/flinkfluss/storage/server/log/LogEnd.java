package io.flinkfluss.storage.server.log;

/**
 * How far a bucket's log reaches, as a checkpoint remembers it.
 *
 * @param startOffset the first offset that exists
 * @param endOffset the offset that the next row will get
 * @param segmentBase base offset of the segment being written, -1 before the first
 * @param segmentLength bytes of that segment
 */
public record LogEnd(long startOffset, long endOffset, long segmentBase, long segmentLength) {
    /** A log that was never written. */
    public static final LogEnd EMPTY = new LogEnd(0, 0, -1, 0);
}

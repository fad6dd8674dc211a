package io.flinkfluss.storage.server.log;

import java.util.List;

/**
 * How far a bucket's log reaches, as a checkpoint remembers it.
 *
 * @param startOffset the first offset that exists
 * @param localStart the first offset that must be on the local disk
 * @param endOffset the offset that the next row will get
 * @param segmentBase base offset of the segment being written, -1 before the first
 * @param segmentLength bytes of that segment
 * @param remote copies in remote storage, ascending
 */
public record LogEnd(
        long startOffset,
        long localStart,
        long endOffset,
        long segmentBase,
        long segmentLength,
        List<RemoteSegment> remote) {
    /** A log that was never written. */
    public static final LogEnd EMPTY = new LogEnd(0, 0, 0, -1, 0, List.of());

    public LogEnd {
        remote = List.copyOf(remote);
    }
}

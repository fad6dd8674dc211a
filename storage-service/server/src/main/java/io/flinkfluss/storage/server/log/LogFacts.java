package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.table.BucketId;
import java.util.List;

/**
 * What retention and copying know of a log.
 *
 * @param remoteEnd everything before it, from the start on, is in remote storage
 * @param segments ascending and without gaps, those that exist only in remote storage included; the
 *     last is the one being written
 * @param pinned the lowest offset that a reader needs, {@link Long#MAX_VALUE} without readers
 */
public record LogFacts(
        BucketId bucket,
        long startOffset,
        long localStart,
        long remoteEnd,
        long endOffset,
        List<SegmentFacts> segments,
        long pinned) {
    public LogFacts {
        segments = List.copyOf(segments);
    }
}

package io.flinkfluss.storage.server.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What readers may see of a log.
 *
 * @param segments on the local disk, without gaps up to the end; those before the start are only
 *     for readers that were there already
 * @param extent where rows begin and where they are
 * @param lastLength bytes of the last local segment that are published; those before it are
 *     complete
 */
record LogView(List<Segment> segments, LogExtent extent, long endOffset, long lastLength) {
    static final LogView EMPTY = new LogView(List.of(), LogExtent.EMPTY, 0, 0);

    long startOffset() {
        return extent.startOffset();
    }

    /** The local segment that should hold this offset. */
    Optional<Segment> local(long offset) {
        if (segments.isEmpty() || offset < segments.get(0).baseOffset()) {
            return Optional.empty();
        }
        int low = 0;
        int high = segments.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (segments.get(middle).baseOffset() <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return Optional.of(segments.get(low));
    }

    /** Segments that hold rows that exist. */
    List<SegmentFacts> facts() throws IOException {
        List<SegmentFacts> facts = new ArrayList<>();
        for (RemoteSegment copy : extent.remote()) {
            facts.add(
                    new SegmentFacts(
                            copy.baseOffset(),
                            copy.endOffset(),
                            copy.length(),
                            copy.firstMillis(),
                            copy.lastMillis()));
        }
        long known = extent.remoteEnd();
        for (int i = 0; i < segments.size(); i++) {
            Segment segment = segments.get(i);
            boolean isSealed = i + 1 < segments.size();
            long end = isSealed ? segments.get(i + 1).baseOffset() : endOffset;
            if (end > known || !isSealed) {
                facts.add(
                        new SegmentFacts(
                                segment.baseOffset(),
                                end,
                                length(segment),
                                segment.firstMillis(),
                                isSealed ? segment.lastMillis() : Long.MAX_VALUE));
            }
        }
        return facts;
    }

    /** Published bytes of a file that was found in this view. */
    long length(BatchFile file) {
        return !segments.isEmpty() && file == segments.get(segments.size() - 1)
                ? lastLength
                : file.length();
    }
}

package io.flinkfluss.storage.server.retention;

import io.flinkfluss.storage.server.log.LogFacts;
import io.flinkfluss.storage.server.log.SegmentFacts;
import java.util.List;

/**
 * What to do with one bucket's log: a pure function of facts, policy, bounds and time.
 *
 * @param startOffset that the log shall have
 * @param localStart rows before it need not be on local disks
 * @param ends whether the segment being written shall be ended
 * @param heldByReaders whether rows are kept only because readers need them
 */
record RetentionPlan(long startOffset, long localStart, boolean ends, boolean heldByReaders) {

    /**
     * Bounds that no age and no size goes past.
     *
     * @param promised rows from there on are promised: not in the lake yet, or part of a snapshot
     * @param overridesReaders whether readers have held rows for long enough
     */
    record Bounds(long promised, boolean overridesReaders) {}

    static RetentionPlan of(LogFacts log, RetentionPolicy policy, Bounds bounds, long nowMillis) {
        long due = due(log, policy, nowMillis);
        long allowed = wholeSegments(log, Math.min(due, bounds.promised()));
        long start =
                bounds.overridesReaders()
                        ? allowed
                        : wholeSegments(log, Math.min(allowed, log.pinned()));
        return new RetentionPlan(
                start,
                Math.max(start, localStart(log, policy, nowMillis)),
                ends(log, policy, nowMillis),
                start < allowed);
    }

    /** Rows before it are too old or too many. */
    private static long due(LogFacts log, RetentionPolicy policy, long nowMillis) {
        long bytes = log.segments().stream().mapToLong(SegmentFacts::bytes).sum();
        long due = log.startOffset();
        for (SegmentFacts segment : log.segments()) {
            boolean tooMany = policy.mostBytes() > 0 && bytes > policy.mostBytes();
            if (!segment.isSealed()
                    || !(tooMany || isOlder(segment, policy.ttlMillis(), nowMillis))) {
                break;
            }
            bytes -= segment.bytes();
            due = segment.endOffset();
        }
        return due;
    }

    /** The end of the last segment that ends at or before this offset. */
    private static long wholeSegments(LogFacts log, long offset) {
        long end = log.startOffset();
        for (SegmentFacts segment : log.segments()) {
            if (segment.isSealed() && segment.endOffset() <= offset) {
                end = Math.max(end, segment.endOffset());
            }
        }
        return end;
    }

    private static long localStart(LogFacts log, RetentionPolicy policy, long nowMillis) {
        List<SegmentFacts> segments = log.segments();
        long start = log.localStart();
        for (int i = 0; i < segments.size(); i++) {
            SegmentFacts segment = segments.get(i);
            boolean tooMany = segments.size() - i > policy.localSegments();
            if (!segment.isSealed()
                    || segment.endOffset() > log.remoteEnd()
                    || !(tooMany || isOlder(segment, policy.localTtlMillis(), nowMillis))) {
                break;
            }
            start = Math.max(start, segment.endOffset());
        }
        return start;
    }

    private static boolean ends(LogFacts log, RetentionPolicy policy, long nowMillis) {
        if (log.segments().isEmpty()) {
            return false;
        }
        SegmentFacts last = log.segments().get(log.segments().size() - 1);
        return !last.isSealed()
                && last.endOffset() > last.baseOffset()
                && policy.rollAge() != Long.MAX_VALUE
                && isOlder(last.firstMillis(), policy.rollAge(), nowMillis);
    }

    private static boolean isOlder(SegmentFacts segment, long ttlMillis, long nowMillis) {
        return ttlMillis > 0 && isOlder(segment.lastMillis(), ttlMillis, nowMillis);
    }

    private static boolean isOlder(long millis, long age, long nowMillis) {
        return nowMillis - millis >= age;
    }
}

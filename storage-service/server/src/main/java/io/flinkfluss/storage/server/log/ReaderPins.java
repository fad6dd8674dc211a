package io.flinkfluss.storage.server.log;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Where the readers of one log are, so that retention keeps what they still need. A reader counts
 * while it gets on: without progress for some time it is left behind, unless it waits at the log's
 * end. One that was closed counts for as long again, because it may come back on a new connection.
 * Thread-safe.
 */
final class ReaderPins {
    private static final long NOBODY = Long.MAX_VALUE;

    private final Map<LogCursor, Seen> open = new IdentityHashMap<>();
    private long closedLately = NOBODY;
    private long closedBefore = NOBODY;
    private long rotatedAt;

    private static final class Seen {
        private long offset = -1;
        private long millis;
        private boolean leftBehind;
    }

    synchronized void add(LogCursor cursor) {
        open.put(cursor, new Seen());
    }

    synchronized void remove(LogCursor cursor) {
        Seen seen = open.remove(cursor);
        if (seen != null && !seen.leftBehind) {
            closedLately = Math.min(closedLately, cursor.nextOffset());
        }
    }

    /**
     * Looks at all readers; called now and then.
     *
     * @param logEnd readers there have nothing to read
     * @param patience milliseconds that a reader counts without progress
     */
    synchronized void look(long nowMillis, long logEnd, long patience) {
        open.forEach(
                (cursor, seen) -> {
                    long offset = cursor.nextOffset();
                    if (offset != seen.offset || offset >= logEnd) {
                        seen.offset = offset;
                        seen.millis = nowMillis;
                        seen.leftBehind = false;
                    } else if (nowMillis - seen.millis >= patience) {
                        seen.leftBehind = true;
                    }
                });
        if (nowMillis - rotatedAt >= patience) {
            closedBefore = closedLately;
            closedLately = NOBODY;
            rotatedAt = nowMillis;
        }
    }

    /** The lowest offset that a reader needs, open or closed lately. */
    synchronized long lowest() {
        return Math.min(lowestOpen(), Math.min(closedLately, closedBefore));
    }

    /** The lowest offset that an open reader needs. */
    synchronized long lowestOpen() {
        long lowest = NOBODY;
        for (Map.Entry<LogCursor, Seen> reader : open.entrySet()) {
            if (!reader.getValue().leftBehind) {
                lowest = Math.min(lowest, reader.getKey().nextOffset());
            }
        }
        return lowest;
    }
}

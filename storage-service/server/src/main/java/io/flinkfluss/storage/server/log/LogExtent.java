package io.flinkfluss.storage.server.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where the rows of a log begin and where they are; the same on every replica.
 *
 * @param startOffset the first offset that exists
 * @param localStart everything from there on is kept on local disks
 * @param remote copies in remote storage, ascending and without a gap from the start; together with
 *     what is local they cover everything
 */
record LogExtent(long startOffset, long localStart, List<RemoteSegment> remote) {
    static final LogExtent EMPTY = new LogExtent(0, 0, List.of());

    LogExtent {
        remote = List.copyOf(remote);
    }

    /** The end of what is in remote storage. */
    long remoteEnd() {
        return remote.isEmpty() ? startOffset : remote.get(remote.size() - 1).endOffset();
    }

    /** The remote segment that holds this offset. */
    Optional<RemoteSegment> remote(long offset) {
        int low = 0;
        int high = remote.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (remote.get(middle).endOffset() <= offset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < remote.size() && remote.get(low).baseOffset() <= offset
                ? Optional.of(remote.get(low))
                : Optional.empty();
    }

    /**
     * Gives up rows and local copies; neither goes back.
     *
     * @param newStart the first offset that exists from now on, at most the log's end
     * @param newLocalStart what is before it and not in remote storage stays
     */
    LogExtent trim(long newStart, long newLocalStart) {
        long start = Math.max(startOffset, newStart);
        LogExtent trimmed =
                new LogExtent(
                        start,
                        Math.max(localStart, start),
                        remote.stream().filter(copy -> copy.endOffset() > start).toList());
        long local = Math.min(newLocalStart, trimmed.remoteEnd());
        return new LogExtent(start, Math.max(trimmed.localStart(), local), trimmed.remote());
    }

    /** With one more copy; empty when it does not follow the others or adds nothing. */
    Optional<LogExtent> with(RemoteSegment copy) {
        if (copy.baseOffset() > remoteEnd() || copy.endOffset() <= remoteEnd()) {
            return Optional.empty();
        }
        List<RemoteSegment> copies = new ArrayList<>(remote);
        copies.add(copy);
        return Optional.of(new LogExtent(startOffset, localStart, copies));
    }
}

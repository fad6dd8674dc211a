package io.flinkfluss.storage.client.routing;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.ErrorKind;
import io.flinkfluss.storage.api.error.StorageException;
import java.time.Duration;

/** How long to wait before the next try: doubling from 10 ms. */
public final class Backoff {
    private static final long FIRST_MILLIS = 10;
    private static final long LONGEST_MILLIS = 1000;
    private static final long LONGEST_UNREACHED_MILLIS = 100;
    private static final int MOST_DOUBLINGS = 7;

    private Backoff() {}

    /**
     * After a node refused: up to 1 s, since each try costs it something.
     *
     * @param attempt how many tries failed before, from 0
     */
    public static Duration of(int attempt) {
        return atMost(LONGEST_MILLIS, attempt);
    }

    /**
     * Whether the answer is a refusal that each further try would cost the node again. A node that
     * is only not ready yet, because it is becoming the leader, is none.
     */
    public static boolean isRefusal(StorageException answer) {
        return answer.kind() == ErrorKind.RETRIABLE && answer.code() != ErrorCode.NOT_READY;
    }

    /**
     * After the right node was not found or not reached, or was not ready: up to 100 ms, so that a
     * new leader is noticed soon.
     */
    public static Duration untilReached(int attempt) {
        return atMost(LONGEST_UNREACHED_MILLIS, attempt);
    }

    private static Duration atMost(long longest, int attempt) {
        long millis = FIRST_MILLIS << Math.min(attempt, MOST_DOUBLINGS);
        return Duration.ofMillis(Math.min(millis, longest));
    }
}

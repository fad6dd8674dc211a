package io.flinkfluss.storage.client.write;

import io.flinkfluss.storage.api.table.BucketId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * The puts of one bucket, in order. After a put failed in a way that is worth another try nothing
 * more is sent until the ones on their way are answered; then all that failed go first again, so
 * the order is kept. Guarded by the dispatcher's lock.
 */
final class BucketQueue {
    enum State {
        /** Puts are sent as they come. */
        OPEN,
        /** Something failed; waiting for the answers to what was sent. */
        DRAINING,
        /** Waiting for the pause before the next try to end. */
        RESTING
    }

    final BucketId bucket;
    final Deque<Put> waiting = new ArrayDeque<>();
    final Deque<Put> inFlight = new ArrayDeque<>();
    private final List<Put> failed = new ArrayList<>();
    State state = State.OPEN;
    int attempts;

    /** Whether the last failure was the leader's own refusal. */
    boolean refused;

    BucketQueue(BucketId bucket) {
        this.bucket = bucket;
    }

    boolean isEmpty() {
        return waiting.isEmpty() && inFlight.isEmpty() && failed.isEmpty();
    }

    void failed(Put put) {
        failed.add(put);
        if (state == State.OPEN) {
            state = State.DRAINING;
        }
    }

    /** Whether an earlier put of the same writer is not acknowledged yet. */
    boolean hasEarlier(Put put) {
        Predicate<Put> earlier =
                other -> other.order < put.order && other.stamp.writerId() == put.stamp.writerId();
        return failed.stream().anyMatch(earlier)
                || inFlight.stream().anyMatch(earlier)
                || waiting.stream().anyMatch(earlier);
    }

    /** Notes which earlier puts still have no answer while this one is stored. */
    void overtake(Put stored) {
        for (Put earlier : inFlight) {
            if (earlier.order > stored.order) {
                return;
            }
            if (earlier.overtakenNanos == 0) {
                earlier.overtakenNanos = System.nanoTime();
            }
        }
    }

    /** Puts what failed in front of what waits; true when everything that was sent is answered. */
    boolean isDrained() {
        if (state != State.DRAINING || !inFlight.isEmpty()) {
            return false;
        }
        failed.sort(Comparator.comparingLong((Put put) -> put.order).reversed());
        failed.forEach(waiting::addFirst);
        failed.clear();
        return true;
    }

    List<Put> all() {
        List<Put> puts = new ArrayList<>(failed);
        puts.addAll(inFlight);
        puts.addAll(waiting);
        return puts;
    }

    void remove(Put put) {
        if (!inFlight.remove(put) && !waiting.remove(put)) {
            failed.remove(put);
        }
    }
}

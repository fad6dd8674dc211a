package io.flinkfluss.storage.client.lookup;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.LookupRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/** Lookups of one kind into one bucket; guarded by the dispatcher's lock. */
final class LookupQueue {
    record Id(BucketId bucket, LookupRequest.Kind kind) {}

    private static final int MOST_MESSAGES = 4;
    private static final int LARGE_MESSAGE = 128;
    private static final int MOST_KEYS = 1024;

    final Id id;
    private final Deque<Lookup> waiting = new ArrayDeque<>();
    private int waitingKeys;
    int messagesInFlight;
    int attempts;
    boolean resting;

    /** Whether the last failure was the leader's own refusal. */
    boolean refused;

    LookupQueue(Id id) {
        this.id = id;
    }

    boolean isEmpty() {
        return waiting.isEmpty() && messagesInFlight == 0;
    }

    /**
     * Whether a message should leave now: at once when none is on its way; otherwise only a large
     * one, since small ones cost more than they gain.
     */
    boolean isDue() {
        return !resting
                && !waiting.isEmpty()
                && (messagesInFlight == 0
                        || (messagesInFlight < MOST_MESSAGES && waitingKeys >= LARGE_MESSAGE));
    }

    void add(Lookup lookup) {
        waiting.addLast(lookup);
        waitingKeys += lookup.keys.size();
    }

    /** Puts back what must be sent again. */
    void addFirst(List<Lookup> lookups) {
        for (int i = lookups.size() - 1; i >= 0; i--) {
            waiting.addFirst(lookups.get(i));
            waitingKeys += lookups.get(i).keys.size();
        }
    }

    /** Takes what fits into one message, at least one lookup. */
    List<Lookup> take() {
        List<Lookup> lookups = new ArrayList<>(Math.min(waiting.size(), MOST_KEYS));
        int keys = 0;
        do {
            Lookup lookup = waiting.poll();
            lookups.add(lookup);
            keys += lookup.keys.size();
        } while (!lookups.get(0).alone && !waiting.isEmpty() && joins(waiting.peek(), keys));
        waitingKeys -= keys;
        return lookups;
    }

    private static boolean joins(Lookup next, int keys) {
        return !next.alone && keys + next.keys.size() <= MOST_KEYS;
    }

    /** Takes those out for which the condition holds. */
    void removeIf(Predicate<Lookup> condition) {
        waiting.removeIf(
                lookup -> {
                    boolean out = condition.test(lookup);
                    waitingKeys -= out ? lookup.keys.size() : 0;
                    return out;
                });
    }

    /** Everything that waits. */
    List<Lookup> all() {
        return List.copyOf(waiting);
    }
}

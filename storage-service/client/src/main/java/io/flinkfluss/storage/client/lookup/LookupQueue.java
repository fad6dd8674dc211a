package io.flinkfluss.storage.client.lookup;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.wire.LookupRequest;
import java.util.ArrayDeque;
import java.util.Deque;

/** Lookups of one kind into one bucket; guarded by the dispatcher's lock. */
final class LookupQueue {
    record Id(BucketId bucket, LookupRequest.Kind kind) {}

    final Id id;
    final Deque<Lookup> waiting = new ArrayDeque<>();
    int messagesInFlight;
    int attempts;
    boolean resting;

    LookupQueue(Id id) {
        this.id = id;
    }

    boolean isEmpty() {
        return waiting.isEmpty() && messagesInFlight == 0;
    }
}

package io.flinkfluss.storage.client.lookup;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.LookupRequest;
import io.flinkfluss.storage.api.wire.LookupResponse;
import io.flinkfluss.storage.client.transport.CallFailure;
import io.flinkfluss.storage.client.transport.MessageStream;
import io.flinkfluss.storage.client.transport.NodeChannel;
import io.flinkfluss.storage.client.transport.StreamListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The lookup stream to one node; sends like a write stream does. */
final class LookupStream implements StreamListener<FlightFrame> {
    /** What the stream tells its owner, on the event loop. */
    interface Owner {
        void answered(LookupStream stream, LookupResponse response);

        void closed(LookupStream stream, Optional<StorageException> error);
    }

    /** A message without an answer. */
    record Message(LookupQueue queue, List<Lookup> lookups, long enqueuedNanos) {
        List<byte[]> keys() {
            if (lookups.size() == 1) {
                return lookups.get(0).keys;
            }
            List<byte[]> keys = new ArrayList<>(lookups.size());
            lookups.forEach(lookup -> keys.addAll(lookup.keys));
            return keys;
        }
    }

    private record Outgoing(long requestId, Message message) {}

    final String address;
    private final Owner owner;
    private final Queue<Outgoing> outbox = new ConcurrentLinkedQueue<>();
    private final AtomicInteger draining = new AtomicInteger();
    private volatile MessageStream<FlightFrame> stream;

    /** Messages without an answer, by request id; guarded by the dispatcher's lock. */
    final TreeMap<Long, Message> outstanding = new TreeMap<>();

    private long nextRequestId = 1;

    LookupStream(String address, Owner owner) {
        this.address = address;
        this.owner = owner;
    }

    void open(NodeChannel node) {
        stream = node.exchange(this);
    }

    /** Under the dispatcher's lock; {@link #flush} afterwards sends. */
    void enqueue(Message message) {
        long requestId = nextRequestId++;
        outstanding.put(requestId, message);
        outbox.add(new Outgoing(requestId, message));
    }

    /** Under the dispatcher's lock: whether something waits longer than this for its answer. */
    boolean waitsLongerThan(Duration patience) {
        Map.Entry<Long, Message> oldest = outstanding.firstEntry();
        return oldest != null
                && System.nanoTime() - oldest.getValue().enqueuedNanos > patience.toNanos();
    }

    /** Sends what the stream has room for, if it is open already; without locks held. */
    void flush() {
        MessageStream<FlightFrame> opened = stream;
        if (opened == null || draining.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            while (!outbox.isEmpty() && opened.isReady()) {
                Outgoing next = outbox.poll();
                LookupQueue.Id id = next.message.queue().id;
                opened.send(
                        FlightFrame.ofMetadata(
                                new LookupRequest(
                                                next.requestId,
                                                id.bucket(),
                                                id.kind(),
                                                next.message.keys())
                                        .encode()));
            }
            seen = draining.addAndGet(-seen);
        } while (seen != 0);
    }

    void cancel(String reason) {
        MessageStream<FlightFrame> opened = stream;
        if (opened != null) {
            opened.cancel(reason);
        }
    }

    @Override
    public void onMessage(FlightFrame frame) {
        if (!frame.hasAppMetadata()) {
            return;
        }
        LookupResponse response;
        try {
            response = LookupResponse.decode(frame.appMetadata());
        } catch (StorageException e) {
            cancel(e.getMessage());
            owner.closed(this, Optional.of(e));
            return;
        }
        owner.answered(this, response);
    }

    @Override
    public void onReady() {
        flush();
    }

    @Override
    public void onClosed(Optional<CallFailure> failure) {
        owner.closed(this, failure.map(CallFailure::error));
    }
}

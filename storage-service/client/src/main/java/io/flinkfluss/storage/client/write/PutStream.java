package io.flinkfluss.storage.client.write;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.PutAck;
import io.flinkfluss.storage.api.wire.PutResult;
import io.flinkfluss.storage.client.transport.CallFailure;
import io.flinkfluss.storage.client.transport.MessageStream;
import io.flinkfluss.storage.client.transport.NodeChannel;
import io.flinkfluss.storage.client.transport.StreamListener;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The write stream to one node. Messages leave when the stream has room, from whichever thread
 * notices first, one at a time.
 */
final class PutStream implements StreamListener<PutResult> {
    /** What the stream tells its owner, on the event loop. */
    interface Owner {
        void acknowledged(PutStream stream, PutAck ack);

        void closed(PutStream stream, Optional<CallFailure> failure);

        void broken(PutStream stream, StorageException error);
    }

    private record Outgoing(long requestId, Put put) {}

    final String address;
    private final Owner owner;
    private final Queue<Outgoing> outbox = new ConcurrentLinkedQueue<>();
    private final AtomicInteger draining = new AtomicInteger();
    private volatile MessageStream<FlightFrame> stream;

    /** Puts without an answer, by request id; guarded by the dispatcher's lock. */
    final TreeMap<Long, Put> outstanding = new TreeMap<>();

    private long nextRequestId = 1;

    PutStream(String address, Owner owner) {
        this.address = address;
        this.owner = owner;
    }

    /** Kept apart from the constructor so that the owner knows the stream first. */
    void open(NodeChannel node) {
        stream = node.put(this);
    }

    /** Under the dispatcher's lock, which gives the order; {@link #flush} afterwards sends. */
    void enqueue(Put put) {
        put.requestId = nextRequestId++;
        put.address = address;
        put.enqueuedNanos = System.nanoTime();
        put.overtakenNanos = 0;
        outstanding.put(put.requestId, put);
        outbox.add(new Outgoing(put.requestId, put));
    }

    /** Under the dispatcher's lock: whether something waits longer than this for its answer. */
    boolean waitsLongerThan(Duration patience) {
        Map.Entry<Long, Put> oldest = outstanding.firstEntry();
        return oldest != null
                && System.nanoTime() - oldest.getValue().enqueuedNanos > patience.toNanos();
    }

    /**
     * Under the dispatcher's lock: whether an answer is lost. A bucket's puts are stored in order,
     * so one that was overtaken longer than this ago is stored, or was refused.
     */
    boolean hasLostAnswer(Duration patience) {
        long now = System.nanoTime();
        return outstanding.values().stream()
                .anyMatch(
                        put ->
                                !put.done
                                        && put.overtakenNanos != 0
                                        && now - put.overtakenNanos > patience.toNanos());
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
                next.put.sent = true;
                opened.send(next.put.frame(next.requestId));
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
    public void onMessage(PutResult message) {
        PutAck ack;
        try {
            ack = PutAck.decode(message.appMetadata());
        } catch (StorageException e) {
            owner.broken(this, e);
            return;
        }
        owner.acknowledged(this, ack);
    }

    @Override
    public void onReady() {
        flush();
    }

    @Override
    public void onClosed(Optional<CallFailure> failure) {
        owner.closed(this, failure);
    }
}

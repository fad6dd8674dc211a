package io.flinkfluss.verify.load;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.FlightFrame;
import io.flinkfluss.storage.api.wire.StreamTicket;
import io.flinkfluss.storage.api.wire.Ticket;
import io.flinkfluss.storage.client.transport.CallFailure;
import io.flinkfluss.storage.client.transport.MessageStream;
import io.flinkfluss.storage.client.transport.NodeChannel;
import io.flinkfluss.storage.client.transport.StreamListener;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One read from one node, without the client's repairs: what this replica says, and its errors. */
final class ReplicaScan implements StreamListener<FlightFrame>, AutoCloseable {
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final MessageStream<Ticket> stream;

    /** A frame, an error, or the end. */
    private record Event(FlightFrame frame, StorageException error) {}

    ReplicaScan(NodeChannel node, StreamTicket ticket) {
        node.reconnectNow();
        stream = node.get(new Ticket(ByteBuffer.wrap(ticket.encode())), this);
        stream.request(1);
    }

    /**
     * The next data frame; empty at the end of the stream.
     *
     * @throws StorageException what the node said, or TIMEOUT
     */
    Optional<FlightFrame> next(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            Event event = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (event == null) {
                throw new StorageException(
                        ErrorCode.TIMEOUT, "nothing came within " + patience.toMillis() + " ms");
            }
            if (event.error != null) {
                throw event.error;
            }
            if (event.frame == null) {
                return Optional.empty();
            }
            stream.request(1);
            // The schema message that begins each stream has no header of ours.
            if (event.frame.hasAppMetadata()) {
                return Optional.of(event.frame);
            }
        }
    }

    @Override
    public void onMessage(FlightFrame frame) {
        events.add(new Event(frame, null));
    }

    @Override
    public void onClosed(Optional<CallFailure> failure) {
        events.add(new Event(null, failure.map(CallFailure::error).orElse(null)));
    }

    @Override
    public void close() {
        stream.cancel("the check is done");
    }
}

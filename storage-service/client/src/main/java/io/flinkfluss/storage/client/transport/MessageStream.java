package io.flinkfluss.storage.client.transport;

import io.grpc.ClientCall;

/** The sending side of a stream. {@link #send} by one thread at a time; the rest by any thread. */
public final class MessageStream<Q> {
    private final ClientCall<Q, ?> call;

    MessageStream(ClientCall<Q, ?> call) {
        this.call = call;
    }

    /** Whether a message would leave soon instead of waiting in memory. */
    public boolean isReady() {
        return call.isReady();
    }

    /** Sends the only message of a stream, so that the node may answer. */
    void sendOnly(Q message) {
        call.sendMessage(message);
        call.halfClose();
    }

    /** Ignored when the stream has ended; {@link StreamListener#onClosed} says so. */
    public void send(Q message) {
        try {
            call.sendMessage(message);
        } catch (IllegalStateException e) {
            // Cancelled in the meantime: onClosed tells the owner.
            call.cancel("sent after the end", e);
        }
    }

    /** Allows the node to send this many more messages. */
    public void request(int messages) {
        call.request(messages);
    }

    public void cancel(String reason) {
        call.cancel(reason, null);
    }
}

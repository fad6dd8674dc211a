package io.flinkfluss.storage.client.transport;

import java.util.Optional;

/** Hears of one stream, on its node's event loop, one call at a time: it must not block. */
public interface StreamListener<A> {
    void onMessage(A message);

    /** The stream takes more messages again. */
    default void onReady() {}

    /** The last call; empty when the node ended the stream in good order. */
    void onClosed(Optional<CallFailure> failure);
}

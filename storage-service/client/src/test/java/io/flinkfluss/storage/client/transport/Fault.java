package io.flinkfluss.storage.client.transport;

import io.flinkfluss.storage.api.error.StorageException;

/** What a {@link FakeNode} does with one message instead of just handling it. */
public sealed interface Fault {
    /** Nothing unusual. */
    record None() implements Fault {}

    /** The connection breaks before the message is handled. */
    record BreakBefore() implements Fault {}

    /** The message is handled, but the connection breaks before its answer is sent. */
    record BreakAfter() implements Fault {}

    /** The message is refused. */
    record Refuse(StorageException error) implements Fault {}

    /** The message is neither handled nor answered. */
    record Hold() implements Fault {}

    /** The message is handled but never answered, on a connection that stays. */
    record StoreSilently() implements Fault {}

    Fault NONE = new None();
}

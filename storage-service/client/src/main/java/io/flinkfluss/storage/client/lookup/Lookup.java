package io.flinkfluss.storage.client.lookup;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.EncodedRow;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One call that waits for the rows of its keys (or prefixes). */
final class Lookup {
    final List<byte[]> keys;
    final CompletableFuture<List<List<EncodedRow>>> answer = new CompletableFuture<>();
    final long deadlineNanos;

    /** Where it was sent last; empty before. */
    String address = "";

    /** Leaves by itself, because a message with others failed for good. */
    boolean alone;

    /** Why the last try failed; null before. */
    StorageException lastError;

    Lookup(List<byte[]> keys, long deadlineNanos) {
        this.keys = keys;
        this.deadlineNanos = deadlineNanos;
    }
}

package io.flinkfluss.storage.client.write;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.record.WriterStamp;
import io.flinkfluss.storage.api.wire.FlightFrame;

/** One batch on its way; guarded by the dispatcher's lock except where said. */
final class Put {
    final BucketQueue queue;
    final long order;
    final WriterStamp stamp;
    final Payload payload;
    final PutListener listener;
    final long deadlineNanos;

    /** Of the newest time it was handed to a stream. */
    long requestId;

    /** Where it was to be sent last; empty before. */
    String address = "";

    /** When it was handed to a stream last. */
    long enqueuedNanos;

    /** When a later put of its bucket was stored although this one has no answer; 0 before. */
    long overtakenNanos;

    /** Why the last try had no effect; null before. */
    StorageException lastError;

    boolean done;

    /** Whether it left once without an answer; written by the stream, read after it ended. */
    volatile boolean sent;

    Put(
            BucketQueue queue,
            long order,
            WriterStamp stamp,
            Payload payload,
            PutListener listener,
            long deadlineNanos) {
        this.queue = queue;
        this.order = order;
        this.stamp = stamp;
        this.payload = payload;
        this.listener = listener;
        this.deadlineNanos = deadlineNanos;
    }

    FlightFrame frame(long id) {
        return payload.frame(id, queue.bucket, stamp);
    }

    /** The error when it is given up at its deadline. */
    StorageException expired(long timeoutMillis) {
        String what =
                "a write to bucket "
                        + queue.bucket
                        + " was not acknowledged within the delivery timeout of "
                        + timeoutMillis
                        + " ms"
                        + (address.isEmpty() ? "" : " by " + address);
        if (sent) {
            return new StorageException(
                    ErrorCode.TIMEOUT,
                    what
                            + "; it may or may not be stored."
                            + (lastError == null ? "" : " Last error: " + lastError.getMessage()),
                    lastError);
        }
        return lastError == null
                ? new StorageException(
                        ErrorCode.UNREACHABLE, what + "; it could not be sent. Check the service.")
                : new StorageException(
                        lastError.code(), what + ": " + lastError.getMessage(), lastError);
    }
}

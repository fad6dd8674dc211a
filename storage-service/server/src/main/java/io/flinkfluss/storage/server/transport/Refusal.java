package io.flinkfluss.storage.server.transport;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.ErrorFrame;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a failed call ends: a gRPC status for any client, and our error in a trailer for ours. */
record Refusal(Status status, Metadata trailers) {
    private static final Logger LOG = LoggerFactory.getLogger(Refusal.class);
    private static final int LONGEST_DESCRIPTION = 800;
    private static final Metadata.Key<byte[]> ERROR =
            Metadata.Key.of(ErrorFrame.TRAILER, Metadata.BINARY_BYTE_MARSHALLER);

    static Refusal of(Throwable failure) {
        StorageException error = error(failure);
        Metadata trailers = new Metadata();
        trailers.put(ERROR, ErrorFrame.of(error).encode());
        return new Refusal(status(error).withDescription(shortened(error)), trailers);
    }

    /**
     * Our error in the trailer of a call to another node; empty when the call failed on the way.
     */
    static Optional<StorageException> received(StatusRuntimeException failure) {
        byte[] error = failure.getTrailers() == null ? null : failure.getTrailers().get(ERROR);
        return Optional.ofNullable(error).map(bytes -> ErrorFrame.decode(bytes).toException());
    }

    /** Clients refuse headers of more than a few kilobytes; the trailer has the message again. */
    private static String shortened(StorageException error) {
        String message = String.valueOf(error.getMessage());
        return message.length() <= LONGEST_DESCRIPTION
                ? message
                : message.substring(0, LONGEST_DESCRIPTION) + "...";
    }

    /** Anything unexpected is logged here and becomes INTERNAL. */
    static StorageException error(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof StorageException known) {
            return known;
        }
        LOG.error("a request failed unexpectedly", cause);
        return new StorageException(
                ErrorCode.INTERNAL, "the server failed: " + cause + "; its log says more", cause);
    }

    private static Status status(StorageException error) {
        return switch (error.code()) {
            case DATABASE_NOT_FOUND, TABLE_NOT_FOUND, SNAPSHOT_NOT_FOUND -> Status.NOT_FOUND;
            case DATABASE_ALREADY_EXISTS, TABLE_ALREADY_EXISTS -> Status.ALREADY_EXISTS;
            case OFFSET_OUT_OF_RANGE -> Status.OUT_OF_RANGE;
            case CORRUPT_DATA -> Status.DATA_LOSS;
            default ->
                    switch (error.kind()) {
                        case USER -> Status.INVALID_ARGUMENT;
                        case RETRIABLE, MOVED -> Status.UNAVAILABLE;
                        case FENCED -> Status.FAILED_PRECONDITION;
                        case INTERNAL -> Status.INTERNAL;
                        case OUTCOME_UNKNOWN -> Status.DEADLINE_EXCEEDED;
                    };
        };
    }
}

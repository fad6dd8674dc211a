package io.flinkfluss.storage.client.transport;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.ErrorFrame;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;

/**
 * Why a call ended.
 *
 * @param outcomeKnown whether it is certain that the request had no effect, or that the error is
 *     the node's own answer to it
 */
public record CallFailure(StorageException error, boolean outcomeKnown) {
    private static final Metadata.Key<byte[]> ERROR =
            Metadata.Key.of(ErrorFrame.TRAILER, Metadata.BINARY_BYTE_MARSHALLER);

    static CallFailure of(String what, String address, Status status, Metadata trailers) {
        byte[] frame = trailers == null ? null : trailers.get(ERROR);
        if (frame != null) {
            return new CallFailure(ErrorFrame.decode(frame).toException(), true);
        }
        StorageException fromMessage = storageException(status.getCause());
        if (fromMessage != null) {
            return new CallFailure(fromMessage, true);
        }
        String reason = reason(status);
        return switch (status.getCode()) {
            case UNAVAILABLE, CANCELLED, ABORTED ->
                    unreachable(what, address, reason, status.getCause());
            case DEADLINE_EXCEEDED ->
                    new CallFailure(
                            new StorageException(
                                    ErrorCode.TIMEOUT,
                                    what
                                            + " at "
                                            + address
                                            + " was not answered in time ("
                                            + reason
                                            + "). It may or may not have taken effect; check, or"
                                            + " give a longer request timeout."),
                            false);
            case RESOURCE_EXHAUSTED ->
                    new CallFailure(
                            new StorageException(
                                    ErrorCode.RECORD_TOO_LARGE,
                                    what + " at " + address + " is too large: " + reason),
                            true);
            case UNIMPLEMENTED ->
                    new CallFailure(
                            new StorageException(
                                    ErrorCode.INCOMPATIBLE_VERSION,
                                    address
                                            + " does not know "
                                            + what
                                            + ": "
                                            + reason
                                            + ". Check that the address is a storage service of"
                                            + " this release."),
                            true);
            default ->
                    isReset(reason) || isOfTheConnection(status.getCause())
                            ? unreachable(what, address, reason, status.getCause())
                            : new CallFailure(
                                    new StorageException(
                                            ErrorCode.INTERNAL,
                                            what
                                                    + " at "
                                                    + address
                                                    + " failed: "
                                                    + status.getCode()
                                                    + " "
                                                    + reason,
                                            status.getCause()),
                                    false);
        };
    }

    /** What is under way at a node that does not answer while another one leads. */
    public static StorageException leftBehind(String what, String address) {
        return new StorageException(
                ErrorCode.UNREACHABLE,
                what
                        + " was not answered by the storage service at "
                        + address
                        + ", and another node leads the bucket now");
    }

    private static CallFailure unreachable(
            String what, String address, String reason, Throwable cause) {
        return new CallFailure(
                new StorageException(
                        ErrorCode.UNREACHABLE,
                        what
                                + ": the storage service at "
                                + address
                                + " cannot be reached: "
                                + reason
                                + ". Check that it runs and that the address is right.",
                        cause),
                neverConnected(cause));
    }

    private static boolean neverConnected(Throwable cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof ConnectException || at instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }

    private static StorageException storageException(Throwable cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof StorageException known) {
                return known;
            }
        }
        return null;
    }

    private static boolean isReset(String reason) {
        return reason.contains("RST_STREAM")
                || reason.contains("Rst Stream")
                || reason.contains("end-of-stream");
    }

    /**
     * A connection that closes at a bad moment is reported as UNKNOWN with what the network said; a
     * node's own errors come without a cause.
     */
    private static boolean isOfTheConnection(Throwable cause) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof IOException) {
                return true;
            }
        }
        return false;
    }

    private static String reason(Status status) {
        StringBuilder reason =
                new StringBuilder(
                        status.getDescription() == null
                                ? status.getCode().toString()
                                : status.getDescription());
        Throwable cause = status.getCause();
        if (cause != null && cause.getMessage() != null) {
            reason.append(", ").append(cause.getMessage());
        }
        return reason.toString();
    }
}

package io.flinkfluss.storage.client.transport;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.ErrorFrame;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/** The ways in which a fake node ends a call; a call that has ended already stays as it is. */
final class CallEnd {
    private static final Metadata.Key<byte[]> ERROR =
            Metadata.Key.of(ErrorFrame.TRAILER, Metadata.BINARY_BYTE_MARSHALLER);

    private CallEnd() {}

    static void fail(ServerCall<?, ?> call, StorageException error) {
        Metadata trailers = new Metadata();
        trailers.put(ERROR, ErrorFrame.of(error).encode());
        close(call, Status.INTERNAL, trailers);
    }

    static void close(ServerCall<?, ?> call, Status status, Metadata trailers) {
        try {
            call.close(status, trailers);
        } catch (IllegalStateException e) {
            // Closed before, for example by a broken connection.
            return;
        }
    }

    static void breakOff(ServerCall<?, ?> call) {
        close(call, Status.UNAVAILABLE.withDescription("broken on purpose"), new Metadata());
    }
}

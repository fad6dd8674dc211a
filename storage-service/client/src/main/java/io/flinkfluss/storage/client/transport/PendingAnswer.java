package io.flinkfluss.storage.client.transport;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.grpc.ClientCall;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An action that was sent. Its future completes on the event loop, at its deadline at the latest.
 */
public final class PendingAnswer {
    private final String what;
    private final ClientCall<?, ?> call;
    private final CompletableFuture<ByteBuffer> answer;

    PendingAnswer(String what, ClientCall<?, ?> call, CompletableFuture<ByteBuffer> answer) {
        this.what = what;
        this.call = call;
        this.answer = answer;
    }

    /** Fails with {@link StorageException} only. */
    public CompletableFuture<ByteBuffer> future() {
        return answer;
    }

    /**
     * Waits a while; empty when there is no answer yet.
     *
     * @throws StorageException the node's answer; UNREACHABLE when the action had no effect or is
     *     repeatable; TIMEOUT when its outcome is unknown, also when the thread is interrupted
     */
    public Optional<ByteBuffer> await(Duration patience) {
        try {
            return Optional.of(answer.get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            StorageException error = (StorageException) e.getCause();
            throw new StorageException(error.code(), error.getMessage(), error);
        } catch (InterruptedException e) {
            call.cancel("interrupted", e);
            Thread.currentThread().interrupt();
            throw new StorageException(
                    ErrorCode.TIMEOUT,
                    what + " was interrupted; it may or may not have taken effect",
                    e);
        }
    }

    /** Gives up on the answer; the action may or may not take effect. */
    public void cancel(String reason) {
        call.cancel(reason, null);
    }
}

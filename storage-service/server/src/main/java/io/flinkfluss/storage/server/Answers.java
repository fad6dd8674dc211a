package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for answers, with a deadline. */
final class Answers {
    private Answers() {}

    /**
     * @throws StorageException what the answer failed with; TIMEOUT after the deadline
     */
    static <A> A await(CompletableFuture<A> answer, Duration deadline, String what) {
        try {
            return answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw asStorageException(failed.getCause(), what);
        } catch (TimeoutException late) {
            throw new StorageException(
                    ErrorCode.TIMEOUT,
                    what
                            + " was not confirmed within "
                            + deadline.toSeconds()
                            + " s; it may or may not have taken effect",
                    late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new StorageException(
                    ErrorCode.TIMEOUT,
                    what + " was interrupted; it may or may not have taken effect",
                    interrupted);
        }
    }

    static StorageException asStorageException(Throwable failure, String what) {
        Throwable cause = failure;
        while (cause instanceof java.util.concurrent.CompletionException
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof StorageException known
                ? known
                : new StorageException(ErrorCode.INTERNAL, what + " failed: " + cause, cause);
    }
}

package io.flinkfluss.storage.api.error;

/**
 * The one exception of the storage service. Its message says what was asked, what was found, what
 * is allowed and what to do next; {@link #code()} names the case and {@link #isRetryable()} answers
 * whether the same request may be sent again.
 */
public final class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public StorageException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    public StorageException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }

    public ErrorKind kind() {
        return code.kind();
    }

    /**
     * Whether nothing was changed, so that the same request may be sent again (perhaps to another
     * node).
     */
    public boolean isRetryable() {
        return isWorthAnotherTry() || code.kind() == ErrorKind.FENCED;
    }

    /**
     * Whether the same request, unchanged, may succeed at another time or at another node; it had
     * no effect this time.
     */
    public boolean isWorthAnotherTry() {
        return code.kind() == ErrorKind.RETRIABLE || code.kind() == ErrorKind.MOVED;
    }

    /**
     * The same for a request that may take effect twice without harm: also when nobody knows
     * whether it had one.
     */
    public boolean isWorthRepeating() {
        return isWorthAnotherTry() || code.kind() == ErrorKind.OUTCOME_UNKNOWN;
    }

    @Override
    public String toString() {
        return "StorageException[" + code + "]: " + getMessage();
    }
}

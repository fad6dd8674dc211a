package io.flinkfluss.benchmarks.cluster;

/** A session gave no figures; others may go on. */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RunFailedException(String message) {
        super(message);
    }

    RunFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.flinkfluss.benchmarks.cluster;

/** There are no figures, of one session or, when jars are missing, of all. */
public final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RunFailedException(String message) {
        super(message);
    }

    RunFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}

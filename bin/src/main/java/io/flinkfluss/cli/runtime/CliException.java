package io.flinkfluss.cli.runtime;

/** A failure that the person who typed the command can act on: printed as one message, exit 1. */
public final class CliException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CliException(String message) {
        super(message);
    }

    public CliException(String message, Throwable cause) {
        super(message, cause);
    }
}

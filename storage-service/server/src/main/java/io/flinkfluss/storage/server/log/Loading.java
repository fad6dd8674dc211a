package io.flinkfluss.storage.server.log;

import java.io.IOException;

/** Bytes are still on their way; ask again when told. */
final class Loading extends IOException {
    private static final long serialVersionUID = 1L;

    Loading() {
        super("the bytes are being fetched from remote storage");
    }

    /** Used to unwind, many times a second: no stack trace. */
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}

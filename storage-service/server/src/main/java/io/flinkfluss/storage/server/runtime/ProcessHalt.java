package io.flinkfluss.storage.server.runtime;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process at once, like kill -9: what was acknowledged is in the replicated log, and a
 * restart replays it.
 */
public final class ProcessHalt implements FaultHandler {
    /** Exit code after a fatal fault. */
    public static final int EXIT_CODE = 70;

    private static final Logger LOG = LoggerFactory.getLogger(ProcessHalt.class);

    @Override
    public void fatal(String what, Throwable cause) {
        LOG.error("stopping at once: {}", what, cause);
        Runtime.getRuntime().halt(EXIT_CODE);
    }
}

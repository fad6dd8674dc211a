package io.flinkfluss.storage.server.runtime;

/** Told of faults after which this process must not go on, because its state may be wrong. */
@FunctionalInterface
public interface FaultHandler {
    /**
     * @param what names the broken part and what a person should look at
     */
    void fatal(String what, Throwable cause);
}

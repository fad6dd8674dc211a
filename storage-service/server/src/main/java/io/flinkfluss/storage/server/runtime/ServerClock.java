package io.flinkfluss.storage.server.runtime;

/** The only source of time in the server. May be asked by any thread. */
public interface ServerClock {
    /** Milliseconds since 1970-01-01 UTC. */
    long millis();

    /** A counter that never goes back, in nanoseconds. */
    long nanos();

    static ServerClock system() {
        return new ServerClock() {
            @Override
            public long millis() {
                return System.currentTimeMillis();
            }

            @Override
            public long nanos() {
                return System.nanoTime();
            }
        };
    }
}

package io.flinkfluss.storage.server.runtime;

/**
 * Takes the place of the server's clock while a sample is written: writers and snapshots are
 * forgotten some time after their last use, so a sample's times lie far ahead.
 */
public interface ServerClock {
    /** From 2026 to 2126. */
    long AHEAD = 100L * 365 * 24 * 60 * 60 * 1000;

    long millis();

    long nanos();

    static ServerClock system() {
        return new ServerClock() {
            @Override
            public long millis() {
                return System.currentTimeMillis() + AHEAD;
            }

            @Override
            public long nanos() {
                return System.nanoTime();
            }
        };
    }
}

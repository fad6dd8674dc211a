package io.flinkfluss.storage.server.runtime;

import java.nio.file.Path;

/** The only source of time in the server. May be asked by any thread. */
public interface ServerClock {
    /**
     * Names a file that shifts the time of day, for tests only (see {@code bin/fluss verify}):
     * never set it where data matters.
     */
    String OFFSET_FILE_PROPERTY = "fluss.test.clock-offset-file";

    /** Milliseconds since 1970-01-01 UTC. */
    long millis();

    /** A counter that never goes back, in nanoseconds. */
    long nanos();

    static ServerClock system() {
        ServerClock system =
                new ServerClock() {
                    @Override
                    public long millis() {
                        return System.currentTimeMillis();
                    }

                    @Override
                    public long nanos() {
                        return System.nanoTime();
                    }
                };
        String offsetFile = System.getProperty(OFFSET_FILE_PROPERTY);
        return offsetFile == null ? system : new ShiftedClock(system, Path.of(offsetFile));
    }
}

package io.flinkfluss.storage.server.runtime;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
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

    /**
     * Processor time of the calling thread, in nanoseconds: what it would take again where nothing
     * else runs. A clock that does not know it gives its {@link #nanos}.
     */
    default long threadNanos() {
        return nanos();
    }

    static ServerClock system() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
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

                    @Override
                    public long threadNanos() {
                        return threads.getCurrentThreadCpuTime();
                    }
                };
        String offsetFile = System.getProperty(OFFSET_FILE_PROPERTY);
        return offsetFile == null ? system : new ShiftedClock(system, Path.of(offsetFile));
    }
}

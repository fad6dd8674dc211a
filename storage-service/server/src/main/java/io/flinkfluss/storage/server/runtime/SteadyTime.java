package io.flinkfluss.storage.server.runtime;

import java.util.concurrent.TimeUnit;

/**
 * Time of day that never jumps while the process runs: what it was at the start, plus what has
 * passed. A clock that is set forward must not make rows look old. Any thread.
 */
public final class SteadyTime {
    private final ServerClock clock;
    private final long startMillis;
    private final long startNanos;

    public SteadyTime(ServerClock clock) {
        this.clock = clock;
        startMillis = clock.millis();
        startNanos = clock.nanos();
    }

    public long millis() {
        return startMillis + TimeUnit.NANOSECONDS.toMillis(clock.nanos() - startNanos);
    }
}

package io.flinkfluss.storage.server.runtime;

import java.time.Duration;

/** A clock that moves only when told to. */
public final class SettableClock implements ServerClock {
    private volatile long nanos;

    public void advance(Duration duration) {
        nanos += duration.toNanos();
    }

    @Override
    public long millis() {
        return nanos / 1_000_000;
    }

    @Override
    public long nanos() {
        return nanos;
    }
}

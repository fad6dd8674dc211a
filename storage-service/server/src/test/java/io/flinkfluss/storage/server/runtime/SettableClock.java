package io.flinkfluss.storage.server.runtime;

import java.time.Duration;

/** A clock that moves only when told to. */
public final class SettableClock implements ServerClock {
    private volatile long millis;
    private volatile long nanos;

    /** Time goes by. */
    public void advance(Duration duration) {
        millis += duration.toMillis();
        nanos += duration.toNanos();
    }

    /** Somebody sets the time of day. */
    public void set(long timeOfDay) {
        millis = timeOfDay;
    }

    @Override
    public long millis() {
        return millis;
    }

    @Override
    public long nanos() {
        return nanos;
    }
}

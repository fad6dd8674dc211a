package io.flinkfluss.storage.server.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock whose time of day jumps as a file says, for tests of what a wrong clock does: the file
 * holds how many milliseconds it is ahead (negative: behind), and is looked at ten times a second.
 * {@link #nanos} never jumps, as no machine's does.
 */
final class ShiftedClock implements ServerClock {
    private static final long LOOK_EVERY = TimeUnit.MILLISECONDS.toNanos(100);

    private final ServerClock clock;
    private final Path file;
    private final AtomicLong nextLook;
    private volatile long ahead;

    ShiftedClock(ServerClock clock, Path file) {
        this.clock = clock;
        this.file = file;
        nextLook = new AtomicLong(clock.nanos());
    }

    @Override
    public long millis() {
        long due = nextLook.get();
        long now = clock.nanos();
        if (now - due >= 0 && nextLook.compareAndSet(due, now + LOOK_EVERY)) {
            ahead = read();
        }
        return clock.millis() + ahead;
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public long threadNanos() {
        return clock.threadNanos();
    }

    private long read() {
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (IOException | NumberFormatException e) {
            // Not there, or just being written: as before.
            return ahead;
        }
    }
}

package io.flinkfluss.storage.server.replication;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A durable checkpoint whose files do not change and stay until it is closed. Any thread. */
public final class HeldCheckpoint implements AutoCloseable {
    private final Position position;
    private final List<CheckpointFile> files;
    private final Runnable release;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param release called once
     */
    public HeldCheckpoint(Position position, List<CheckpointFile> files, Runnable release) {
        this.position = position;
        this.files = List.copyOf(files);
        this.release = release;
    }

    public Position position() {
        return position;
    }

    public List<CheckpointFile> files() {
        return files;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release.run();
        }
    }
}

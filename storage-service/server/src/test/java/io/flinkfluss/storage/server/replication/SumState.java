package io.flinkfluss.storage.server.replication;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Adds numbers; each answer is the sum so far. Its checkpoint is one small file. */
final class SumState implements ReplicatedState {
    private final Path file;
    private final Position restored;
    private Position applied;
    private volatile long sum;
    private volatile int entriesApplied;

    SumState(Path file) {
        this.file = file;
        if (Files.exists(file)) {
            try {
                ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
                applied = new Position(bytes.getLong(), bytes.getLong());
                sum = bytes.getLong();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        } else {
            applied = Position.NONE;
        }
        restored = applied;
    }

    @Override
    public Position restored() {
        return restored;
    }

    @Override
    public byte[] apply(Position position, long leaderMillis, ByteBuffer command) {
        // One thread applies.
        sum = sum + command.getLong();
        applied = position;
        entriesApplied++;
        return ByteBuffer.allocate(8).putLong(sum).array();
    }

    long sum() {
        return sum;
    }

    int entriesApplied() {
        return entriesApplied;
    }

    @Override
    public CompletableFuture<Position> checkpoint() {
        ByteBuffer bytes = ByteBuffer.allocate(24);
        bytes.putLong(applied.term()).putLong(applied.index()).putLong(sum);
        try {
            Files.write(file, bytes.array());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return CompletableFuture.completedFuture(applied);
    }

    @Override
    public void close() {}
}

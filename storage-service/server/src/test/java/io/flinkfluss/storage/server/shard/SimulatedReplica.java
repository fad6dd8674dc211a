package io.flinkfluss.storage.server.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.Position;
import io.flinkfluss.storage.server.runtime.Pace;
import io.flinkfluss.storage.server.runtime.SettableClock;
import io.flinkfluss.storage.server.transfer.CheckpointFetcher;
import io.flinkfluss.storage.server.transfer.LocalPeer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;

/** A replica of the simulated shard: applies the log's entries, loses power, catches up. */
final class SimulatedReplica implements AutoCloseable {
    /** On the disk; opening, a checkpoint and an installation make fewer, mostly. */
    private static final int MOST_CHANGES = 100;

    private final ShardFixture shard;
    private final ReplicaDisk disk;
    private final Random random;

    /** What each entry was answered with here, by index. */
    private final Map<Integer, byte[]> answers = new TreeMap<>();

    private int applied = -1;

    /** The checkpoint of another replica that is being taken over, -1 without one. */
    private int offered = -1;

    /** The log may be deleted up to here. */
    private long purgeable = -1;

    SimulatedReplica(ReplicaDisk disk, Random random) {
        this.disk = disk;
        this.random = random;
        shard = new ShardFixture(disk.folder(), disk.newResources());
    }

    ShardFixture shard() {
        return shard;
    }

    int applied() {
        return applied;
    }

    long purgeable() {
        return purgeable;
    }

    byte[] apply(SimulatedLog.Entry entry) {
        applied++;
        byte[] answer =
                shard.state()
                        .apply(
                                new Position(entry.term(), applied),
                                entry.millis(),
                                entry.command().duplicate());
        byte[] before = answers.put(applied, answer);
        assertThat(before == null || Arrays.equals(before, answer))
                .as("entry %s applied again is answered as the first time", applied)
                .isTrue();
        return answer;
    }

    Map<Integer, byte[]> answers() {
        return answers;
    }

    void checkpoint() {
        shard.state().prepareCheckpoint().join();
        purgeable = Math.max(purgeable, shard.state().checkpoint().join().index());
    }

    /** The power goes during the work, or at its end. */
    void losePowerDuring(Runnable work) throws IOException {
        disk.failAfter(random.nextInt(MOST_CHANGES));
        try {
            work.run();
        } catch (StorageException | CompletionException failed) {
            requireNoPower(failed);
        }
        losePower();
    }

    private void requireNoPower(RuntimeException failed) {
        if (!disk.hasFailed()) {
            throw failed;
        }
    }

    /**
     * The process ends with the power; what was not made durable is kept in part, or not at all.
     */
    void losePower() throws IOException {
        shard.stop();
        disk.losePower(random);
        requireWholeCheckpoints();
        if (random.nextBoolean()) {
            Path torn = disk.folder().resolve("checkpoints/00000000000000000099.unfinished");
            Files.createDirectories(torn.resolve("kv"));
            Files.write(torn.resolve("manifest"), new byte[random.nextInt(50)]);
        }
        while (random.nextInt(4) == 0) {
            losePowerOpening();
        }
        shard.open();
        long restored = shard.state().restored().index();
        assertThat(restored).as("restored").isBetween(purgeable, (long) Math.max(applied, offered));
        if (restored > applied) {
            assertThat(restored).as("restored from another").isEqualTo(offered);
            purgeable = -1;
        }
        offered = -1;
        applied = (int) restored;
    }

    /** What has a checkpoint's name is one, except while another state takes the place of all. */
    private void requireWholeCheckpoints() throws IOException {
        if (Files.exists(disk.folder().resolve(ShardFolder.MARKER))) {
            return;
        }
        for (Path found : Folders.list(disk.folder().resolve("checkpoints"))) {
            if (found.getFileName().toString().matches("\\d+")) {
                ManifestFile.verify(found);
            }
        }
    }

    private void losePowerOpening() throws IOException {
        disk.failAfter(random.nextInt(MOST_CHANGES));
        try {
            shard.open();
            shard.stop();
        } catch (StorageException failed) {
            requireNoPower(failed);
        }
        disk.losePower(random);
    }

    /** Takes over the other's newest checkpoint, if it is ahead of what is applied here. */
    void catchUpFrom(SimulatedReplica other) {
        SettableClock clock = new SettableClock();
        LocalPeer peer = new LocalPeer(other.shard.state().transfer().orElseThrow(), clock);
        var newest = other.shard.state().transfer().orElseThrow().hold();
        long index = newest.map(held -> held.position().index()).orElse(-1L);
        newest.ifPresent(io.flinkfluss.storage.server.replication.HeldCheckpoint::close);
        if (index <= applied) {
            return;
        }
        offered = (int) index;
        CheckpointTransfer transfer = shard.state().transfer().orElseThrow();
        new CheckpointFetcher(peer, new Pace(clock, Long.MAX_VALUE), clock)
                .fetch("shard-0", transfer, applied + 1L);
        if (random.nextInt(3) == 0) {
            // Received but not installed when the process ends.
            shard.restart();
            applied = (int) shard.state().restored().index();
        } else {
            applied = (int) transfer.install().index();
            purgeable = -1;
        }
        offered = -1;
    }

    Map<String, ByteBuffer> segments() throws IOException {
        Map<String, ByteBuffer> segments = new TreeMap<>();
        for (Path file : Folders.filesBelow(disk.folder().resolve("log"))) {
            if (file.toString().endsWith(".log")) {
                segments.put(
                        disk.folder().relativize(file).toString(),
                        ByteBuffer.wrap(Files.readAllBytes(file)));
            }
        }
        return segments;
    }

    @Override
    public void close() {
        shard.close();
    }
}

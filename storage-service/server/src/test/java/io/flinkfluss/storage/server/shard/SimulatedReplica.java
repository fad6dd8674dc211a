package io.flinkfluss.storage.server.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.Position;
import io.flinkfluss.storage.server.runtime.Pace;
import io.flinkfluss.storage.server.runtime.SettableClock;
import io.flinkfluss.storage.server.transfer.CheckpointFetcher;
import io.flinkfluss.storage.server.transfer.LocalPeer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** A replica of the simulated shard: applies the log's entries, loses power, catches up. */
final class SimulatedReplica implements AutoCloseable {
    private final ShardFixture shard;
    private final Path folder;
    private final Random random;

    /** What each entry was answered with here, by index. */
    private final Map<Integer, byte[]> answers = new TreeMap<>();

    private int applied = -1;

    /** The log may be deleted up to here. */
    private long purgeable = -1;

    SimulatedReplica(Path folder, Random random) {
        this.folder = folder;
        this.random = random;
        shard = new ShardFixture(folder);
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

    /** The process ends with the power; what was not forced is kept in part, or not at all. */
    void losePower() throws IOException {
        Map<Path, Long> durable = durableSegments();
        shard.stop();
        for (Path file : files(folder.resolve("kv"))) {
            spoil(file, 0);
        }
        for (Path file : files(folder.resolve("log"))) {
            if (file.toString().endsWith(".log")) {
                spoil(file, durable.getOrDefault(folder.resolve("log").relativize(file), 0L));
            } else {
                spoil(file, 0);
            }
        }
        if (random.nextBoolean()) {
            Path torn = folder.resolve("checkpoints/00000000000000000099.unfinished");
            Files.createDirectories(torn.resolve("kv"));
            Files.write(torn.resolve("manifest"), new byte[random.nextInt(50)]);
        }
        shard.open();
        Position restored = shard.state().restored();
        assertThat(restored.index()).as("restored").isBetween(purgeable, (long) applied);
        applied = (int) restored.index();
    }

    /** Bytes of each segment that some kept checkpoint counts on. */
    private Map<Path, Long> durableSegments() throws IOException {
        Map<Path, Long> durable = new TreeMap<>();
        Path checkpoints = folder.resolve("checkpoints");
        for (Path checkpoint : Folders.list(checkpoints)) {
            if (!Files.exists(checkpoint.resolve("manifest"))) {
                continue;
            }
            for (var log : ManifestFile.read(checkpoint).logEnds().entrySet()) {
                for (var part :
                        io.flinkfluss.storage.server.log.LogFiles.of(
                                folder.resolve("log"), log.getKey(), log.getValue())) {
                    durable.merge(
                            folder.resolve("log").relativize(part.path()),
                            part.length(),
                            Math::max);
                }
            }
        }
        return durable;
    }

    private void spoil(Path file, long keep) throws IOException {
        long length = Files.size(file);
        if (length <= keep) {
            return;
        }
        switch (random.nextInt(keep == 0 ? 4 : 3)) {
            case 0 -> {}
            case 1 -> {
                try (FileChannel channel = ownCopy(file)) {
                    channel.truncate(keep + (long) (random.nextDouble() * (length - keep)));
                }
            }
            case 2 -> {
                byte[] garbage = new byte[(int) Math.min(4096, length - keep)];
                random.nextBytes(garbage);
                try (FileChannel channel = ownCopy(file)) {
                    channel.write(ByteBuffer.wrap(garbage), keep);
                }
            }
            default -> Files.delete(file);
        }
    }

    /** A checkpoint may have the same file under another name; that one is durable. */
    private static FileChannel ownCopy(Path file) throws IOException {
        Path copy = file.resolveSibling(file.getFileName() + ".copy");
        Files.copy(file, copy);
        Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
        return FileChannel.open(file, StandardOpenOption.WRITE);
    }

    private static List<Path> files(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.exists(root)) {
            Files.walkFileTree(
                    root,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            files.add(file);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        }
        files.sort(null);
        return files;
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
        CheckpointTransfer transfer = shard.state().transfer().orElseThrow();
        new CheckpointFetcher(peer, new Pace(clock, Long.MAX_VALUE), clock)
                .fetch("shard-0", transfer, applied + 1L);
        if (random.nextInt(3) == 0) {
            // Received but not installed when the process ends.
            shard.restart();
            applied = (int) shard.state().restored().index();
            return;
        }
        applied = (int) transfer.install().index();
        purgeable = -1;
    }

    Map<String, ByteBuffer> segments() throws IOException {
        Map<String, ByteBuffer> segments = new TreeMap<>();
        for (Path file : files(folder.resolve("log"))) {
            if (file.toString().endsWith(".log")) {
                segments.put(
                        folder.relativize(file).toString(),
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

package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.log.LogFiles;
import io.flinkfluss.storage.server.log.RemoteReads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A folder with RocksDB. A power cut spoils what no checkpoint counts on: the live key-value state,
 * indexes, and what segments have beyond the checkpoints.
 */
record RealReplicaDisk(Path folder) implements ReplicaDisk {
    @Override
    public ShardResources newResources() {
        return new ShardResources(
                ShardFixture.SMALL_MEMORY,
                ShardFixture.ARROW_BYTES,
                Runnable::run,
                RemoteReads.NONE);
    }

    @Override
    public void losePower(Random random) throws IOException {
        Map<Path, Long> durable = durableSegments();
        for (Path file : Folders.filesBelow(folder.resolve("kv"))) {
            spoil(file, 0, random);
        }
        for (Path file : Folders.filesBelow(folder.resolve("log"))) {
            spoil(file, durable.getOrDefault(file, 0L), random);
        }
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
                for (var part : LogFiles.of(folder.resolve("log"), log.getKey(), log.getValue())) {
                    durable.merge(part.path(), part.length(), Math::max);
                }
            }
        }
        return durable;
    }

    private static void spoil(Path file, long keep, Random random) throws IOException {
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
}

package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The folder that one server process owns while it runs: a lock keeps others out, and {@code
 * VERSION} names the form of everything inside and the number of shards, which never changes.
 */
final class DataDirectory implements AutoCloseable {
    private static final String FORMAT = "1";
    private static final String LOCK = "LOCK";
    private static final String VERSION = "VERSION";

    private final Path folder;
    private final FileChannel channel;
    private final int shards;

    private DataDirectory(Path folder, FileChannel channel, int shards) {
        this.folder = folder;
        this.channel = channel;
        this.shards = shards;
    }

    /**
     * Locks the folder, creating it if needed.
     *
     * @throws StorageException DATA_DIRECTORY_IN_USE, INCOMPATIBLE_VERSION, INVALID_REQUEST when
     *     another number of shards is wanted than it has
     */
    static DataDirectory open(Path folder, OptionalInt wantedShards, int defaultShards) {
        FileChannel channel = null;
        try {
            Files.createDirectories(folder);
            channel =
                    FileChannel.open(
                            folder.resolve(LOCK),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            lock(folder, channel);
            int shards = version(folder, wantedShards, defaultShards);
            return new DataDirectory(folder, channel, shards);
        } catch (IOException failure) {
            close(channel);
            throw new UncheckedIOException("cannot use the data directory " + folder, failure);
        } catch (StorageException refused) {
            close(channel);
            throw refused;
        }
    }

    int shards() {
        return shards;
    }

    Path raft() {
        return folder.resolve("raft");
    }

    Path metadata() {
        return folder.resolve("metadata");
    }

    Path shard(int shard) {
        return folder.resolve("shards").resolve(Integer.toString(shard));
    }

    @Override
    public void close() {
        close(channel);
    }

    private static void lock(Path folder, FileChannel channel) throws IOException {
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException sameProcess) {
            lock = null;
        }
        if (lock == null) {
            throw new StorageException(
                    ErrorCode.DATA_DIRECTORY_IN_USE,
                    "the data directory "
                            + folder
                            + " is in use by another storage server; stop it, or name another"
                            + " --data-dir");
        }
    }

    private static int version(Path folder, OptionalInt wanted, int defaultShards)
            throws IOException {
        Path file = folder.resolve(VERSION);
        if (!Files.exists(file)) {
            refuseStrangers(folder);
            int shards = wanted.orElse(defaultShards);
            Path temporary = folder.resolve(VERSION + ".tmp");
            Files.writeString(temporary, "format=" + FORMAT + "\nshards=" + shards + "\n");
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            return shards;
        }
        Properties known = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            known.load(reader);
        }
        String format = known.getProperty("format", "unknown");
        if (!format.equals(FORMAT)) {
            throw new StorageException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    "the data directory "
                            + folder
                            + " has format "
                            + format
                            + ", this server reads format "
                            + FORMAT
                            + "; start the release that wrote it, or name another --data-dir");
        }
        int shards = Integer.parseInt(known.getProperty("shards"));
        if (wanted.isPresent() && wanted.getAsInt() != shards) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "--shards "
                            + wanted.getAsInt()
                            + " was given, but "
                            + folder
                            + " was created with "
                            + shards
                            + " shards, which cannot change; leave --shards out");
        }
        return shards;
    }

    private static void refuseStrangers(Path folder) throws IOException {
        List<String> others;
        try (Stream<Path> files = Files.list(folder)) {
            others =
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> !name.equals(LOCK) && !name.equals("lost+found"))
                            .filter(name -> !name.equals(VERSION + ".tmp"))
                            .limit(3)
                            .toList();
        }
        if (!others.isEmpty()) {
            throw new StorageException(
                    ErrorCode.INCOMPATIBLE_VERSION,
                    folder
                            + " has no "
                            + VERSION
                            + " file but contains "
                            + others
                            + ", so it is not a data directory of this server; name an empty or a"
                            + " new --data-dir");
        }
    }

    private static void close(FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot release the data directory's lock", e);
            }
        }
    }
}

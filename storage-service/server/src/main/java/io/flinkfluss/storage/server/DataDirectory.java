package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.level.FormatLevel;
import io.flinkfluss.storage.server.log.Folders;
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

    /**
     * From now on there may be bytes of this level in the directory: a release that does not read
     * them refuses to open it. Any thread.
     */
    void raise(FormatLevel level) {
        try {
            write(folder, level, shards);
        } catch (IOException failure) {
            throw new UncheckedIOException(
                    "cannot write the format level of the data directory " + folder, failure);
        }
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
    public String toString() {
        return folder.toString();
    }

    /**
     * Whether the folder is still there: on Linux a deleted file goes on taking writes, which are
     * gone with the process.
     */
    boolean isThere() {
        return Files.exists(folder.resolve(VERSION)) && Files.isDirectory(raft());
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
            write(folder, FormatLevel.FIRST, shards);
            return shards;
        }
        Properties known = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            known.load(reader);
        }
        String what = "the data directory " + folder;
        FormatLevel.readable(what, number(known.getProperty("format")));
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

    private static int number(String format) {
        try {
            return Integer.parseInt(format);
        } catch (NumberFormatException unknown) {
            return -1;
        }
    }

    /** Whatever a power cut leaves, it is the old file or the new one. */
    private static void write(Path folder, FormatLevel level, int shards) throws IOException {
        Path temporary = folder.resolve(VERSION + ".tmp");
        Files.writeString(temporary, "format=" + level.number() + "\nshards=" + shards + "\n");
        Folders.force(temporary);
        Files.move(
                temporary,
                folder.resolve(VERSION),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        Folders.force(folder);
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

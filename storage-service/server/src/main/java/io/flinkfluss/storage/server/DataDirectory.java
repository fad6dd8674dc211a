package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.level.FormatLevel;
import io.flinkfluss.storage.server.membership.DirectoryState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
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

    /** Guards changes of {@code version} and of its file. */
    private final Object lock = new Object();

    private volatile VersionFile version;

    private DataDirectory(Path folder, FileChannel channel, VersionFile version) {
        this.folder = folder;
        this.channel = channel;
        this.version = version;
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
            VersionFile version = version(folder, wantedShards, defaultShards);
            return new DataDirectory(folder, channel, version);
        } catch (IOException failure) {
            close(channel);
            throw new UncheckedIOException("cannot use the data directory " + folder, failure);
        } catch (StorageException refused) {
            close(channel);
            throw refused;
        }
    }

    int shards() {
        return version.shards();
    }

    /** A name that no other data directory has; empty for one of the first release. */
    String id() {
        return version.directory();
    }

    DirectoryState state() {
        return version.state();
    }

    /** Directories by node id, as they were when this node founded the cluster. */
    Map<String, String> founders() {
        return version.founders();
    }

    /** This node founds a cluster, with these directories of the other nodes by id. */
    void found(int shards, Map<String, String> founders) {
        change(before -> before.with(DirectoryState.FOUNDING, shards, founders));
    }

    /** This node waits to be added to a cluster. */
    void join(int shards) {
        change(before -> before.with(DirectoryState.JOINING, shards, Map.of()));
    }

    /** From now on the cluster relies on what is here. */
    void use() {
        if (state() != DirectoryState.IN_USE) {
            change(
                    before ->
                            before.with(DirectoryState.IN_USE, before.shards(), before.founders()));
        }
    }

    /**
     * From now on there may be bytes of this level in the directory: a release that does not read
     * them refuses to open it. Any thread.
     */
    void raise(FormatLevel level) {
        change(before -> before.at(level));
    }

    private void change(UnaryOperator<VersionFile> change) {
        synchronized (lock) {
            VersionFile next = change.apply(version);
            try {
                next.write(folder.resolve(VERSION));
            } catch (IOException failure) {
                throw new UncheckedIOException(
                        "cannot write the file " + VERSION + " of the data directory " + folder,
                        failure);
            }
            version = next;
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

    private static VersionFile version(Path folder, OptionalInt wanted, int defaultShards)
            throws IOException {
        Path file = folder.resolve(VERSION);
        if (!Files.exists(file)) {
            refuseStrangers(folder);
            VersionFile made = VersionFile.ofNewDirectory(wanted.orElse(defaultShards));
            made.write(file);
            return made;
        }
        VersionFile known = VersionFile.read(file);
        if (wanted.isPresent() && wanted.getAsInt() != known.shards()) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "--shards "
                            + wanted.getAsInt()
                            + " was given, but "
                            + folder
                            + " was created with "
                            + known.shards()
                            + " shards, which cannot change; leave --shards out");
        }
        return known;
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

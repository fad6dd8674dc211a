package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The bucket logs of one shard, below one folder: {@code table/partition/bucket/offset.log}. {@link
 * #find} may be called by any thread, everything else by the one that appends.
 */
public final class LogStore implements AutoCloseable {
    private final Path folder;
    private final LogConfig config;
    private final OpenFiles files;
    private final RemoteReads remoteReads;
    private final BatchEncoder encoder = new BatchEncoder();
    private final Map<BucketId, BucketLog> logs = new ConcurrentHashMap<>();
    private final UnforcedSegments unforced;
    private volatile boolean retired;

    /** Belongs to the thread that appends. */
    private boolean hasStaleFiles = true;

    private LogStore(Path folder, LogConfig config, RemoteReads remoteReads, Executor helpers) {
        this.folder = folder;
        this.config = config;
        this.remoteReads = remoteReads;
        this.files = new OpenFiles(config.openFiles());
        this.unforced = new UnforcedSegments(folder, helpers);
    }

    /**
     * Opens the logs as a checkpoint knew them; whatever was written later is gone from them. Files
     * of logs that it does not know stay until those logs begin anew, or {@link #setAsideUnneeded}.
     *
     * @param ends of every log of the checkpoint
     * @param remoteReads how segments in remote storage are read
     * @param helpers threads that may help the one that opens the logs or makes them durable
     * @throws StorageException CORRUPT_DATA when files of the checkpoint are missing or too short
     */
    public static LogStore open(
            Path folder,
            LogConfig config,
            Map<BucketId, LogEnd> ends,
            RemoteReads remoteReads,
            Executor helpers) {
        LogStore store = new LogStore(folder, config, remoteReads, helpers);
        try {
            Files.createDirectories(folder);
            SharedWork restoring = new SharedWork();
            ends.forEach((id, end) -> restoring.add(() -> store.obtain(id).restore(end)));
            restoring.run(helpers);
            return store;
        } catch (IOException e) {
            store.close();
            throw failed("open the logs", folder, e);
        } catch (StorageException e) {
            store.close();
            throw e;
        }
    }

    /** The log of this bucket, empty when it was never written. */
    public Optional<BucketLog> find(BucketId bucket) {
        return Optional.ofNullable(logs.get(bucket));
    }

    /** The log of this bucket; files are made by the first append. */
    public BucketLog obtain(BucketId bucket) {
        return logs.computeIfAbsent(
                bucket, id -> new BucketLog(id, LogFiles.folder(folder, id), this));
    }

    /**
     * Forgets the logs of a table. The files stay until {@link #deleteUnreferenced}, because a
     * checkpoint may still need them.
     */
    public void drop(TableId table) {
        for (BucketLog log : List.copyOf(logs.values())) {
            if (log.bucket().table().equals(table)) {
                log.drop();
                logs.remove(log.bucket());
            }
        }
    }

    /** Size of all logs; any thread. */
    public LogFigures figures() {
        long segments = 0;
        long bytes = 0;
        long remoteBytes = 0;
        for (BucketLog log : logs.values()) {
            LogView view = log.view();
            segments += view.segments().size();
            for (Segment segment : view.segments()) {
                bytes += view.length(segment);
            }
            for (RemoteSegment copy : view.extent().remote()) {
                remoteBytes += copy.length();
            }
        }
        return new LogFigures(segments, bytes, remoteBytes);
    }

    /** Makes durable everything appended before the call, while others may go on. Any thread. */
    public void force() {
        try {
            unforced.force();
        } catch (IOException e) {
            throw failed("make the logs durable", folder, e);
        }
    }

    /** Bytes appended since they were last made durable. */
    public long unforcedBytes() {
        return unforced.bytes();
    }

    /** How far each log reaches. */
    public Map<BucketId, LogEnd> ends() {
        Map<BucketId, LogEnd> ends = new TreeMap<>();
        logs.values().forEach(log -> ends.put(log.bucket(), log.end()));
        return ends;
    }

    /**
     * Deletes files of segments that nobody needs. Any thread.
     *
     * @param checkpoints what each checkpoint that is kept needs of the logs
     */
    public void deleteFiles(List<Map<BucketId, LogEnd>> checkpoints) {
        try {
            for (BucketLog log : logs.values()) {
                long needed = Long.MAX_VALUE;
                for (Map<BucketId, LogEnd> checkpoint : checkpoints) {
                    LogEnd end = checkpoint.get(log.bucket());
                    needed = end == null ? needed : Math.min(needed, end.localStart());
                }
                log.deleteFiles(needed);
            }
        } catch (IOException e) {
            throw failed("delete segments", folder, e);
        }
    }

    /** Every log. Any thread. */
    public List<BucketLog> all() {
        return List.copyOf(logs.values());
    }

    /**
     * Once before the first {@link #deleteUnreferenced}: no table that is not among these gets its
     * files back, as replay could have given them to it until now.
     */
    public void setAsideUnneeded(Set<TableId> needed) {
        if (!hasStaleFiles) {
            return;
        }
        try {
            StaleFiles.setAside(folder, needed);
            hasStaleFiles = false;
        } catch (IOException e) {
            throw failed("set aside what was written after the checkpoint", folder, e);
        }
    }

    /**
     * Deletes the files of every table that is not among these. Any thread.
     *
     * @param needed asked after the files were listed, so that a new table is among them
     */
    public void deleteUnreferenced(Supplier<Set<TableId>> needed) {
        try {
            StaleFiles.deleteSetAside(folder);
            List<Path> found = children(folder);
            Set<TableId> tables = needed.get();
            for (Path table : found) {
                if (!tables.contains(new TableId(Long.parseLong(name(table))))) {
                    deleteTree(table);
                }
            }
        } catch (IOException e) {
            throw failed("delete the logs of dropped tables", folder, e);
        }
    }

    /** Folders with a number as name; anything else is not ours. */
    private static List<Path> children(Path parent) throws IOException {
        return Folders.list(parent).stream()
                .filter(path -> LogFiles.isNumber(name(path)) && Files.isDirectory(path))
                .toList();
    }

    private static String name(Path path) {
        return path.getFileName().toString();
    }

    private void deleteTree(Path root) throws IOException {
        files.forget(root);
        Folders.deleteTree(root);
    }

    OpenFiles files() {
        return files;
    }

    RemoteReads remoteReads() {
        return remoteReads;
    }

    LogConfig config() {
        return config;
    }

    BatchEncoder encoder() {
        return encoder;
    }

    UnforcedSegments unforced() {
        return unforced;
    }

    /** From now on reads fail with NOT_READY: another state takes the place of this one. */
    public void retire() {
        retired = true;
    }

    boolean isRetired() {
        return retired;
    }

    static StorageException failed(String what, Path place, IOException cause) {
        if (cause instanceof ClosedByInterruptException) {
            return new StorageException(
                    ErrorCode.CLOSED, "interrupted: could not " + what + " in " + place, cause);
        }
        boolean isFull = String.valueOf(cause.getMessage()).contains("No space left");
        return new StorageException(
                isFull ? ErrorCode.DISK_FULL : ErrorCode.INTERNAL,
                "could not "
                        + what
                        + " in "
                        + place
                        + ": "
                        + cause
                        + (isFull ? ". Free some space on that disk." : ". Check that disk."),
                cause);
    }

    @Override
    public void close() {
        try {
            files.close();
        } catch (IOException e) {
            throw failed("close the logs", folder, e);
        }
    }
}

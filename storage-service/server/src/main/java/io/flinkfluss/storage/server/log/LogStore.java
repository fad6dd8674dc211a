package io.flinkfluss.storage.server.log;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The bucket logs of one shard, below one folder: {@code table/partition/bucket/offset.log}. {@link
 * #find} may be called by any thread, everything else by the one that appends.
 */
public final class LogStore implements AutoCloseable {
    private final Path folder;
    private final LogConfig config;
    private final OpenFiles files;
    private final BatchEncoder encoder = new BatchEncoder();
    private final Map<BucketId, BucketLog> logs = new ConcurrentHashMap<>();
    private final Set<BucketLog> unforced = new LinkedHashSet<>();

    private LogStore(Path folder, LogConfig config) {
        this.folder = folder;
        this.config = config;
        this.files = new OpenFiles(config.openFiles());
    }

    /**
     * Opens the logs as a checkpoint knew them; whatever was written later is deleted.
     *
     * @param ends of every log of the checkpoint
     * @param kept tables that only an older checkpoint knows; their files stay
     * @throws StorageException CORRUPT_DATA when files of the checkpoint are missing or too short
     */
    public static LogStore open(
            Path folder, LogConfig config, Map<BucketId, LogEnd> ends, Set<TableId> kept) {
        LogStore store = new LogStore(folder, config);
        try {
            Files.createDirectories(folder);
            Set<TableId> tables =
                    ends.keySet().stream().map(BucketId::table).collect(Collectors.toSet());
            store.deleteUnknownBuckets(ends.keySet(), tables);
            tables.addAll(kept);
            store.deleteUnreferenced(tables);
            for (Map.Entry<BucketId, LogEnd> end : ends.entrySet()) {
                store.obtain(end.getKey()).restore(end.getValue());
            }
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
        return logs.computeIfAbsent(bucket, id -> new BucketLog(id, folder(id), this));
    }

    private Path folder(BucketId bucket) {
        return folder.resolve(bucket.table().toString())
                .resolve(Long.toString(bucket.partition()))
                .resolve(Integer.toString(bucket.bucket()));
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
                unforced.remove(log);
            }
        }
    }

    /** Makes everything appended durable and says how far each log reaches. */
    public Map<BucketId, LogEnd> force() {
        try {
            Set<Path> parents = new LinkedHashSet<>();
            for (BucketLog log : unforced) {
                log.force();
                Path bucketFolder = folder(log.bucket());
                parents.add(bucketFolder.getParent());
                parents.add(bucketFolder.getParent().getParent());
            }
            for (Path parent : parents) {
                Folders.force(parent);
            }
            Folders.force(folder);
        } catch (IOException e) {
            throw failed("make the logs durable", folder, e);
        }
        unforced.clear();
        Map<BucketId, LogEnd> ends = new TreeMap<>();
        logs.values().forEach(log -> ends.put(log.bucket(), log.end()));
        return ends;
    }

    /** Deletes the files of every table that is not among these. */
    public void deleteUnreferenced(Set<TableId> tables) {
        try {
            for (Path table : children(folder)) {
                if (!tables.contains(new TableId(Long.parseLong(name(table))))) {
                    deleteTree(table);
                }
            }
        } catch (IOException e) {
            throw failed("delete the logs of dropped tables", folder, e);
        }
    }

    private void deleteUnknownBuckets(Set<BucketId> known, Set<TableId> tables) throws IOException {
        for (Path table : children(folder)) {
            TableId id = new TableId(Long.parseLong(name(table)));
            if (!tables.contains(id)) {
                continue;
            }
            for (Path partition : children(table)) {
                for (Path bucket : children(partition)) {
                    BucketId found =
                            new BucketId(
                                    id,
                                    Long.parseLong(name(partition)),
                                    Integer.parseInt(name(bucket)));
                    if (!known.contains(found)) {
                        deleteTree(bucket);
                    }
                }
            }
        }
    }

    /** Folders with a number as name; anything else is not ours. */
    private static List<Path> children(Path parent) throws IOException {
        return Folders.list(parent).stream()
                .filter(path -> name(path).matches("\\d{1,18}") && Files.isDirectory(path))
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

    LogConfig config() {
        return config;
    }

    BatchEncoder encoder() {
        return encoder;
    }

    void markUnforced(BucketLog log) {
        unforced.add(log);
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

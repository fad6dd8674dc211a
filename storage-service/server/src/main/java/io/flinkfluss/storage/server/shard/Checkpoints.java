package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.log.LogEnd;
import io.flinkfluss.storage.server.replication.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The folder of a shard's checkpoints. Each is a folder named by its index, with a manifest and a
 * copy of the key-value state; it appears all at once. The newest two are kept, and those that
 * somebody holds. Thread-safe.
 */
final class Checkpoints {
    private static final int KEPT = 2;
    private static final String UNFINISHED = ".unfinished";

    private final Path folder;

    /** Oldest first. */
    private final List<Checkpoint> kept = new ArrayList<>();

    /** How often each is held. */
    private final Map<Checkpoint, Integer> held = new LinkedHashMap<>();

    private final List<StorageException> damages = new ArrayList<>();
    private Unfinished unfinished;

    /** One that is usable, with what it needs beside its own folder. */
    record Checkpoint(
            Path folder, Position position, Set<TableId> tables, Map<BucketId, LogEnd> logs) {
        static Checkpoint of(Path folder, Manifest manifest) {
            return new Checkpoint(
                    folder,
                    manifest.position(),
                    new TreeSet<>(manifest.tableIds()),
                    manifest.logEnds());
        }

        Path kv() {
            return folder.resolve(ManifestFile.KV);
        }

        /**
         * @throws StorageException CORRUPT_DATA
         */
        Manifest manifest() {
            try {
                return ManifestFile.read(folder);
            } catch (IOException e) {
                throw failed("read", folder, e);
            }
        }
    }

    /** One being made. */
    record Unfinished(Path folder, Manifest manifest) {
        Path kv() {
            return folder.resolve(ManifestFile.KV);
        }
    }

    private Checkpoints(Path folder) {
        this.folder = folder;
    }

    static Path place(Path folder, long index) {
        return folder.resolve(String.format("%020d", index));
    }

    /**
     * Reads the checkpoints and deletes those that are damaged.
     *
     * @throws StorageException CORRUPT_DATA when there are some but none is usable;
     *     INCOMPATIBLE_VERSION
     */
    static Checkpoints open(Path folder) {
        Checkpoints checkpoints = new Checkpoints(folder);
        try {
            Files.createDirectories(folder);
            checkpoints.load();
            return checkpoints;
        } catch (IOException e) {
            throw failed("read", folder, e);
        }
    }

    private void load() throws IOException {
        for (Path found : Folders.list(folder)) {
            if (found.getFileName().toString().endsWith(UNFINISHED)) {
                Folders.deleteTree(found);
                continue;
            }
            try {
                kept.add(Checkpoint.of(found, ManifestFile.verify(found)));
            } catch (StorageException e) {
                if (e.code() != ErrorCode.CORRUPT_DATA) {
                    throw e;
                }
                damages.add(e);
            }
        }
        kept.sort(Comparator.comparing(Checkpoint::position));
        if (kept.isEmpty() && !damages.isEmpty()) {
            throw damages.get(damages.size() - 1);
        }
    }

    /** What is wrong with each checkpoint that is not usable. */
    synchronized List<StorageException> damages() {
        return List.copyOf(damages);
    }

    /** Position of the newest, NONE without one. */
    synchronized Position newest() {
        return kept.isEmpty() ? Position.NONE : kept.get(kept.size() - 1).position();
    }

    /** Tables that some checkpoint knows, the one being made included. */
    synchronized Set<TableId> tables() {
        Set<TableId> tables = new TreeSet<>();
        present().forEach(checkpoint -> tables.addAll(checkpoint.tables()));
        if (unfinished != null) {
            tables.addAll(unfinished.manifest().tableIds());
        }
        return tables;
    }

    /** What each checkpoint needs of the logs, the one being made included. */
    synchronized List<Map<BucketId, LogEnd>> logs() {
        List<Map<BucketId, LogEnd>> logs = new ArrayList<>();
        present().forEach(checkpoint -> logs.add(checkpoint.logs()));
        if (unfinished != null) {
            logs.add(unfinished.manifest().logEnds());
        }
        return logs;
    }

    private Set<Checkpoint> present() {
        Map<Checkpoint, Integer> present = new LinkedHashMap<>(held);
        kept.forEach(checkpoint -> present.putIfAbsent(checkpoint, 0));
        return present.keySet();
    }

    /** Newest first. */
    synchronized List<Checkpoint> newestFirst() {
        List<Checkpoint> reversed = new ArrayList<>();
        kept.forEach(checkpoint -> reversed.add(0, checkpoint));
        return reversed;
    }

    /** Deletes every checkpoint that is newer, or was found damaged. */
    synchronized void keepUpTo(Position position) {
        kept.removeIf(checkpoint -> checkpoint.position().compareTo(position) > 0);
        deleteOthers();
    }

    /** The newest, which stays until {@link #release}; empty without one. */
    synchronized Optional<Checkpoint> hold() {
        if (kept.isEmpty()) {
            return Optional.empty();
        }
        Checkpoint newest = kept.get(kept.size() - 1);
        held.merge(newest, 1, Integer::sum);
        return Optional.of(newest);
    }

    synchronized void release(Checkpoint checkpoint) {
        held.computeIfPresent(checkpoint, (key, times) -> times == 1 ? null : times - 1);
        deleteOthers();
    }

    /**
     * Begins a checkpoint. One that was begun before and not finished is given up.
     *
     * @param manifest without files
     */
    synchronized Unfinished begin(Manifest manifest) {
        Path place = place(folder, manifest.position().index());
        Path target = place.resolveSibling(place.getFileName() + UNFINISHED);
        try {
            unfinished = null;
            Folders.deleteTree(target);
            Files.createDirectories(target);
            unfinished = new Unfinished(target, manifest);
            return unfinished;
        } catch (IOException e) {
            throw failed("begin", target, e);
        }
    }

    /**
     * Ends a checkpoint, whose key-value state was copied and whose logs and snapshots are durable.
     * It is durable when this returns, and those that are too old are deleted.
     */
    void finish(Unfinished made) {
        Path target = place(folder, made.manifest().position().index());
        try {
            Manifest complete = made.manifest().withFiles(ManifestFile.describe(made.kv()));
            ManifestFile.write(made.folder(), complete);
            Folders.forceTree(made.folder());
            synchronized (this) {
                if (unfinished != made) {
                    return;
                }
                Files.move(made.folder(), target, StandardCopyOption.ATOMIC_MOVE);
                Folders.force(folder);
                unfinished = null;
                kept.add(Checkpoint.of(target, complete));
                while (kept.size() > KEPT) {
                    kept.remove(0);
                }
                deleteOthers();
            }
        } catch (IOException e) {
            throw failed("write", target, e);
        }
    }

    private void deleteOthers() {
        try {
            for (Path found : Folders.list(folder)) {
                boolean isUnfinished = unfinished != null && unfinished.folder().equals(found);
                if (!isUnfinished
                        && present().stream().noneMatch(each -> each.folder().equals(found))) {
                    delete(found);
                }
            }
        } catch (IOException e) {
            throw failed("delete old", folder, e);
        }
    }

    /** Its name goes first: what a power cut leaves must not look like a damaged checkpoint. */
    private static void delete(Path checkpoint) throws IOException {
        Path nameless = checkpoint;
        if (!checkpoint.toString().endsWith(UNFINISHED)) {
            nameless = checkpoint.resolveSibling(checkpoint.getFileName() + UNFINISHED);
            Folders.deleteTree(nameless);
            Files.move(checkpoint, nameless, StandardCopyOption.ATOMIC_MOVE);
        }
        Folders.deleteTree(nameless);
    }

    /** Position of the oldest, when there is another to fall back from; otherwise NONE. */
    synchronized Position fallback() {
        return kept.size() < KEPT ? Position.NONE : kept.get(0).position();
    }

    private static StorageException failed(String what, Path place, IOException cause) {
        return new StorageException(
                ErrorCode.INTERNAL,
                "could not " + what + " checkpoints in " + place + ": " + cause,
                cause);
    }
}

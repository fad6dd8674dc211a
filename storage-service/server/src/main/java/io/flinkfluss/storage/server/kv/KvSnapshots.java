package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.log.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Snapshots of tables for scans: each is a RocksDB checkpoint in a folder of its own, so it costs
 * hard links, survives a restart and does not hinder the live store. One that was not used for an
 * hour, and is not being read, is freed. Thread-safe.
 */
public final class KvSnapshots implements AutoCloseable {
    static final long IDLE_MILLIS = 60L * 60 * 1000;

    private final Path folder;
    private final KvMemory memory;

    /** Guarded by itself. */
    private final Map<Long, KvSnapshotFolder> snapshots = new TreeMap<>();

    /** Guarded by the snapshots. */
    private boolean retired;

    private KvSnapshots(Path folder, KvMemory memory) {
        this.folder = folder;
        this.memory = memory;
    }

    /**
     * Finds the snapshots that a checkpoint knew and deletes the others, which a replay will take
     * again. One that was released after the checkpoint is gone: its release will be replayed.
     *
     * @param millis counts as their last use
     */
    public static KvSnapshots open(
            Path folder, KvMemory memory, List<FrozenTable> known, long millis) {
        KvSnapshots opened = new KvSnapshots(folder, memory);
        for (FrozenTable table : known) {
            Path place = opened.place(table.snapshotId());
            if (Files.isDirectory(place)) {
                opened.snapshots.put(
                        table.snapshotId(), new KvSnapshotFolder(table, place, memory, millis));
            }
        }
        try {
            Files.createDirectories(folder);
            for (Path found : Folders.list(folder)) {
                if (opened.snapshots.values().stream().noneMatch(s -> s.isAt(found))) {
                    Folders.deleteTree(found);
                }
            }
        } catch (IOException e) {
            throw failed("open", folder, e);
        }
        return opened;
    }

    /** The folder of a snapshot. */
    public static Path place(Path folder, long snapshotId) {
        return folder.resolve(Long.toUnsignedString(snapshotId));
    }

    private Path place(long snapshotId) {
        return place(folder, snapshotId);
    }

    /** From now on reads fail with NOT_READY: another state takes the place of this one. */
    public void retire() {
        synchronized (snapshots) {
            retired = true;
            snapshots.values().forEach(KvSnapshotFolder::retire);
        }
    }

    /** Those that exist. */
    public List<FrozenTable> tables() {
        synchronized (snapshots) {
            return snapshots.values().stream().map(KvSnapshotFolder::table).toList();
        }
    }

    /** Freezes the store's present state under this id. */
    public void take(KvStore store, FrozenTable table) {
        Path place = place(table.snapshotId());
        store.checkpoint(place);
        synchronized (snapshots) {
            snapshots.put(
                    table.snapshotId(),
                    new KvSnapshotFolder(table, place, memory, table.takenAtMillis()));
        }
    }

    public Optional<FrozenTable> find(long snapshotId) {
        synchronized (snapshots) {
            return Optional.ofNullable(snapshots.get(snapshotId)).map(KvSnapshotFolder::table);
        }
    }

    /**
     * Begins a scan.
     *
     * @throws StorageException SNAPSHOT_NOT_FOUND
     */
    public KvCursor scan(KvScan scan, long nowMillis) {
        KvSnapshotFolder snapshot;
        synchronized (snapshots) {
            if (retired) {
                throw KvErrors.replaced(folder);
            }
            snapshot = snapshots.get(scan.snapshotId());
            if (snapshot == null) {
                throw notFound(scan.snapshotId());
            }
            snapshot.use(nowMillis);
        }
        return snapshot.scan(scan);
    }

    static StorageException notFound(long snapshotId) {
        return new StorageException(
                ErrorCode.SNAPSHOT_NOT_FOUND,
                "snapshot "
                        + snapshotId
                        + " does not exist: it was released, its table was dropped, or nobody used"
                        + " it for an hour. Take a new one.");
    }

    /** Frees a snapshot; its readers get SNAPSHOT_NOT_FOUND. An unknown one is ignored. */
    public void release(long snapshotId) {
        KvSnapshotFolder snapshot;
        synchronized (snapshots) {
            snapshot = snapshots.remove(snapshotId);
        }
        delete(snapshot == null ? List.of() : List.of(snapshot));
    }

    /** Frees every snapshot of a table. */
    public void dropTable(TableId table) {
        List<KvSnapshotFolder> removed = new ArrayList<>();
        synchronized (snapshots) {
            snapshots.values().stream()
                    .filter(snapshot -> snapshot.table().table().equals(table))
                    .forEach(removed::add);
            removed.forEach(snapshot -> snapshots.remove(snapshot.table().snapshotId()));
        }
        delete(removed);
    }

    /** Frees what was not used for an hour. */
    public void expire(long nowMillis) {
        List<KvSnapshotFolder> removed = new ArrayList<>();
        synchronized (snapshots) {
            snapshots.values().stream()
                    .filter(snapshot -> snapshot.isIdleSince(nowMillis - IDLE_MILLIS))
                    .forEach(removed::add);
            removed.forEach(snapshot -> snapshots.remove(snapshot.table().snapshotId()));
        }
        delete(removed);
    }

    private void delete(List<KvSnapshotFolder> removed) {
        for (KvSnapshotFolder snapshot : removed) {
            try {
                snapshot.close();
                Folders.deleteTree(place(snapshot.table().snapshotId()));
            } catch (IOException e) {
                throw failed("delete", folder, e);
            }
        }
    }

    /** Makes every snapshot durable, while others may be taken and freed. Any thread. */
    public void force() {
        List<KvSnapshotFolder> present;
        synchronized (snapshots) {
            present = List.copyOf(snapshots.values());
        }
        try {
            for (KvSnapshotFolder snapshot : present) {
                snapshot.force();
            }
            Folders.force(folder);
        } catch (IOException e) {
            throw failed("make durable", folder, e);
        }
    }

    private static StorageException failed(String what, Path folder, IOException cause) {
        return new StorageException(
                ErrorCode.INTERNAL,
                "could not " + what + " the snapshots in " + folder + ": " + cause,
                cause);
    }

    @Override
    public void close() {
        synchronized (snapshots) {
            snapshots.values().forEach(KvSnapshotFolder::close);
            snapshots.clear();
        }
    }
}

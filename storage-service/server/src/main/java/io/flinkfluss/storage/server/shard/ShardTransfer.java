package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.server.kv.FrozenTable;
import io.flinkfluss.storage.server.kv.KvSnapshots;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.log.LogEnd;
import io.flinkfluss.storage.server.log.LogFiles;
import io.flinkfluss.storage.server.replication.CheckpointFile;
import io.flinkfluss.storage.server.replication.CheckpointTransfer;
import io.flinkfluss.storage.server.replication.HeldCheckpoint;
import io.flinkfluss.storage.server.replication.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Names the files of a shard's checkpoint for other nodes: {@code checkpoint/} the manifest and the
 * copy of the key-value state, {@code log/} segments, {@code snapshots/} those of scans.
 */
final class ShardTransfer implements CheckpointTransfer {
    static final String CHECKPOINT = "checkpoint";
    static final String LOGS = "log";
    static final String SNAPSHOTS = "snapshots";

    private final ShardFolder folder;
    private final Supplier<Checkpoints> checkpoints;
    private final Supplier<Position> install;

    /**
     * @param checkpoints of the present state
     * @param install on the applying thread
     */
    ShardTransfer(
            ShardFolder folder, Supplier<Checkpoints> checkpoints, Supplier<Position> install) {
        this.folder = folder;
        this.checkpoints = checkpoints;
        this.install = install;
    }

    /** For a shard that is not open, and has nothing to send. */
    static ShardTransfer receiver(ShardFolder folder) {
        return new ShardTransfer(
                folder,
                () -> null,
                () -> {
                    Position received = received(folder);
                    folder.swap(received);
                    return received;
                });
    }

    @Override
    public Optional<HeldCheckpoint> hold() {
        Checkpoints present = checkpoints.get();
        if (present == null) {
            return Optional.empty();
        }
        Optional<Checkpoints.Checkpoint> newest = present.hold();
        if (newest.isEmpty()) {
            return Optional.empty();
        }
        Checkpoints.Checkpoint held = newest.get();
        try {
            return Optional.of(
                    new HeldCheckpoint(held.position(), files(held), () -> present.release(held)));
        } catch (IOException e) {
            present.release(held);
            throw new StorageException(
                    ErrorCode.INTERNAL, "could not list checkpoint " + held.folder() + ": " + e, e);
        } catch (RuntimeException e) {
            present.release(held);
            throw e;
        }
    }

    private List<CheckpointFile> files(Checkpoints.Checkpoint held) throws IOException {
        Manifest manifest = held.manifest();
        List<CheckpointFile> files = new ArrayList<>();
        Path manifestFile = held.folder().resolve(ManifestFile.NAME);
        files.add(
                new CheckpointFile(
                        CHECKPOINT + "/" + ManifestFile.NAME,
                        manifestFile,
                        Files.size(manifestFile)));
        for (Manifest.KvFile file : manifest.files()) {
            files.add(
                    new CheckpointFile(
                            CHECKPOINT + "/" + ManifestFile.KV + "/" + file.name(),
                            held.kv().resolve(file.name()),
                            file.length()));
        }
        for (Map.Entry<BucketId, LogEnd> log : manifest.logEnds().entrySet()) {
            for (LogFiles.Part part : LogFiles.of(folder.logs(), log.getKey(), log.getValue())) {
                String name = LOGS + "/" + folder.logs().relativize(part.path());
                files.add(new CheckpointFile(name, part.path(), part.length()));
            }
        }
        for (FrozenTable snapshot : manifest.snapshots()) {
            files.addAll(files(snapshot));
        }
        return files;
    }

    /** One that was released meanwhile has no files; nobody will miss it. */
    private List<CheckpointFile> files(FrozenTable snapshot) throws IOException {
        List<CheckpointFile> files = new ArrayList<>();
        try {
            Path place = KvSnapshots.place(folder.snapshots(), snapshot.snapshotId());
            for (Path file : Folders.list(place)) {
                String name = SNAPSHOTS + "/" + folder.snapshots().relativize(file);
                files.add(new CheckpointFile(name, file, Files.size(file)));
            }
            return files;
        } catch (NoSuchFileException released) {
            return List.of();
        }
    }

    @Override
    public Path incoming() {
        return folder.incoming();
    }

    @Override
    public Optional<LocalFile> similar(String name) {
        if (!name.startsWith(LOGS + "/")) {
            return Optional.empty();
        }
        Path file = folder.logs().resolve(name.substring(LOGS.length() + 1));
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        return Optional.of(new LocalFile(file, LogFiles.isComplete(file)));
    }

    @Override
    public Position verify() {
        return received(folder);
    }

    private static Position received(ShardFolder folder) {
        try {
            return ManifestFile.verify(folder.incoming().resolve(CHECKPOINT)).position();
        } catch (IOException e) {
            throw new StorageException(
                    ErrorCode.INTERNAL,
                    "could not read what was received in " + folder.incoming() + ": " + e,
                    e);
        }
    }

    @Override
    public Position install() {
        return install.get();
    }
}

package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.replication.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * The folder of a shard's checkpoints. Each is a folder named by its index, with a manifest and a
 * copy of the key-value state; it appears all at once. The newest two are kept.
 */
final class Checkpoints {
    private static final int KEPT = 2;
    private static final int MAGIC = 0x464C434B;
    private static final String MANIFEST = "manifest";
    private static final String KV = "kv";
    private static final String UNFINISHED = ".unfinished";

    private final Path folder;

    /** Oldest first. */
    private final List<Checkpoint> kept = new ArrayList<>();

    private final List<StorageException> damages = new ArrayList<>();

    record Checkpoint(Path folder, Manifest manifest) {
        Path kv() {
            return folder.resolve(KV);
        }

        Position position() {
            return manifest.position();
        }
    }

    private Checkpoints(Path folder) {
        this.folder = folder;
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
                kept.add(new Checkpoint(found, verify(found)));
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
    List<StorageException> damages() {
        return damages;
    }

    /** Position of the newest, NONE without one. */
    Position newest() {
        return kept.isEmpty() ? Position.NONE : kept.get(kept.size() - 1).position();
    }

    /** Tables that some checkpoint knows. */
    Set<TableId> tables() {
        Set<TableId> tables = new TreeSet<>();
        kept.forEach(checkpoint -> tables.addAll(checkpoint.manifest().tableIds()));
        return tables;
    }

    /** Newest first. */
    List<Checkpoint> newestFirst() {
        List<Checkpoint> reversed = new ArrayList<>();
        kept.forEach(checkpoint -> reversed.add(0, checkpoint));
        return reversed;
    }

    /** Deletes every checkpoint that is newer, or was found damaged. */
    void keepUpTo(Position position) {
        kept.removeIf(checkpoint -> checkpoint.position().compareTo(position) > 0);
        deleteOthers();
    }

    /**
     * Writes a checkpoint, durable when this returns, and deletes those that are too old.
     *
     * @param manifest without files
     * @param copyKv makes the copy of the key-value state in a folder that does not exist yet
     */
    void add(Manifest manifest, Consumer<Path> copyKv) {
        Path target = folder.resolve(String.format("%020d", manifest.position().index()));
        Path unfinished = target.resolveSibling(target.getFileName() + UNFINISHED);
        try {
            Folders.deleteTree(unfinished);
            Files.createDirectories(unfinished);
            copyKv.accept(unfinished.resolve(KV));
            Manifest complete =
                    new Manifest(
                            manifest.position(),
                            manifest.lastMillis(),
                            manifest.tables(),
                            manifest.buckets(),
                            manifest.snapshots(),
                            describe(unfinished.resolve(KV)));
            Files.write(unfinished.resolve(MANIFEST), framed(complete.encode()));
            Folders.forceTree(unfinished);
            Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
            Folders.force(folder);
            kept.add(new Checkpoint(target, complete));
        } catch (IOException e) {
            throw failed("write", target, e);
        }
        while (kept.size() > KEPT) {
            kept.remove(0);
        }
        deleteOthers();
    }

    private void deleteOthers() {
        try {
            for (Path found : Folders.list(folder)) {
                if (kept.stream().noneMatch(checkpoint -> checkpoint.folder().equals(found))) {
                    Folders.deleteTree(found);
                }
            }
        } catch (IOException e) {
            throw failed("delete old", folder, e);
        }
    }

    /** Position of the oldest, when there is another to fall back from; otherwise NONE. */
    Position fallback() {
        return kept.size() < KEPT ? Position.NONE : kept.get(0).position();
    }

    private static byte[] framed(ByteBuffer payload) {
        ByteBuffer file = ByteBuffer.allocate(12 + payload.remaining());
        file.putInt(MAGIC).putInt(payload.remaining()).putInt((int) checksum(payload));
        return file.put(payload.duplicate()).array();
    }

    private static long checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate());
        return checksum.getValue();
    }

    private static Manifest verify(Path checkpoint) throws IOException {
        Path file = checkpoint.resolve(MANIFEST);
        ByteBuffer bytes = Files.exists(file) ? ByteBuffer.wrap(Files.readAllBytes(file)) : null;
        if (bytes == null
                || bytes.remaining() < 12
                || bytes.getInt() != MAGIC
                || bytes.getInt() != bytes.remaining() - 4
                || bytes.getInt() != (int) checksum(bytes)) {
            throw damaged(file, "its length or checksum is wrong");
        }
        Manifest manifest = Manifest.decode(bytes.slice());
        for (Manifest.KvFile expected : manifest.files()) {
            Path kvFile = checkpoint.resolve(KV).resolve(expected.name());
            if (!Files.exists(kvFile) || Files.size(kvFile) != expected.length()) {
                throw damaged(kvFile, "it is missing or its length is not " + expected.length());
            }
            if (expected.checksum() >= 0
                    && checksum(ByteBuffer.wrap(Files.readAllBytes(kvFile)))
                            != expected.checksum()) {
                throw damaged(kvFile, "its checksum is wrong");
            }
        }
        return manifest;
    }

    private static List<Manifest.KvFile> describe(Path kv) throws IOException {
        List<Manifest.KvFile> files = new ArrayList<>();
        for (Path file : Folders.list(kv)) {
            String name = file.getFileName().toString();
            // Only for people: a store opens without it.
            if (name.startsWith("OPTIONS")) {
                continue;
            }
            boolean checksItself = name.endsWith(".sst");
            long checksum = checksItself ? -1 : checksum(ByteBuffer.wrap(Files.readAllBytes(file)));
            files.add(new Manifest.KvFile(name, Files.size(file), checksum));
        }
        return files;
    }

    private static StorageException damaged(Path file, String found) {
        return new StorageException(
                ErrorCode.CORRUPT_DATA,
                "the checkpoint file "
                        + file
                        + " is damaged: "
                        + found
                        + ". If no older checkpoint is usable, restore this node's data from a"
                        + " backup or another node.");
    }

    private static StorageException failed(String what, Path place, IOException cause) {
        return new StorageException(
                ErrorCode.INTERNAL,
                "could not " + what + " checkpoints in " + place + ": " + cause,
                cause);
    }
}

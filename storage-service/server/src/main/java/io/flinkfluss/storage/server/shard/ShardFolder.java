package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.log.Folders;
import io.flinkfluss.storage.server.replication.Position;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a shard keeps its files, and how a checkpoint that was received takes their place.
 *
 * <p>The swap is a row of steps, each of which may be done again. Before the marker file the old
 * state is whole; once it is there, only the new one counts, and an opening goes on with the steps
 * that are left.
 */
final class ShardFolder {
    private static final Logger LOG = LoggerFactory.getLogger(ShardFolder.class);
    static final String MARKER = "swap";

    private final Path root;

    ShardFolder(Path root) {
        this.root = root;
    }

    /** A part of the swap. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    Path logs() {
        return root.resolve("log");
    }

    Path kv() {
        return root.resolve("kv");
    }

    Path snapshots() {
        return root.resolve("snapshots");
    }

    Path checkpoints() {
        return root.resolve("checkpoints");
    }

    /** What another replica sent, by the names of {@link ShardTransfer}. */
    Path incoming() {
        return root.resolve("incoming");
    }

    /** The next opening reads all data before it trusts it. */
    void markDamaged() {
        try {
            Files.writeString(damageMarker(), "damaged\n", StandardCharsets.US_ASCII);
            Folders.force(root);
        } catch (IOException e) {
            LOG.error("could not note in {} that the shard is damaged", root, e);
        }
    }

    boolean isMarkedDamaged() {
        return Files.exists(damageMarker());
    }

    /** Sound data was found. */
    void unmarkDamaged() {
        try {
            Files.deleteIfExists(damageMarker());
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private Path damageMarker() {
        return root.resolve("damaged");
    }

    private Path marker() {
        return root.resolve(MARKER);
    }

    /** Puts what was received, which is durable, in the place of what is here. */
    void swap(Position received) {
        run(steps(received.index()));
    }

    /** Ends a swap that was begun by a process that ended. */
    void finishSwap() {
        if (!Files.exists(marker())) {
            return;
        }
        try {
            String index = Files.readString(marker(), StandardCharsets.US_ASCII).strip();
            List<Step> steps = steps(Long.parseLong(index));
            run(steps.subList(1, steps.size()));
        } catch (IOException | NumberFormatException e) {
            throw failed(e);
        }
    }

    /** The first step makes the decision. */
    List<Step> steps(long index) {
        Path checkpoint = incoming().resolve(ShardTransfer.CHECKPOINT);
        return List.of(
                () -> mark(index),
                () -> Folders.deleteTree(kv()),
                () -> replace(logs(), incoming().resolve(ShardTransfer.LOGS)),
                () -> replace(snapshots(), incoming().resolve(ShardTransfer.SNAPSHOTS)),
                () -> replaceCheckpoints(checkpoint, index),
                this::unmark,
                () -> Folders.deleteTree(incoming()));
    }

    private void mark(long index) throws IOException {
        Files.createDirectories(incoming().resolve(ShardTransfer.LOGS));
        Files.createDirectories(incoming().resolve(ShardTransfer.SNAPSHOTS));
        Folders.forceTree(incoming());
        Path unfinished = root.resolve(MARKER + ".unfinished");
        Files.writeString(unfinished, index + "\n", StandardCharsets.US_ASCII);
        Folders.force(unfinished);
        Files.move(unfinished, marker(), StandardCopyOption.ATOMIC_MOVE);
        Folders.force(root);
    }

    private static void replace(Path old, Path received) throws IOException {
        if (Files.exists(received)) {
            Folders.deleteTree(old);
            Files.move(received, old, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private void replaceCheckpoints(Path received, long index) throws IOException {
        if (Files.exists(received)) {
            Folders.deleteTree(checkpoints());
            Files.createDirectories(checkpoints());
            Files.move(
                    received,
                    Checkpoints.place(checkpoints(), index),
                    StandardCopyOption.ATOMIC_MOVE);
        }
        Folders.force(checkpoints());
    }

    private void unmark() throws IOException {
        Files.deleteIfExists(damageMarker());
        Folders.force(incoming());
        Folders.force(root);
        Files.deleteIfExists(marker());
        Folders.force(root);
    }

    private void run(List<Step> steps) {
        try {
            for (Step step : steps) {
                step.run();
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private StorageException failed(Exception cause) {
        return new StorageException(
                ErrorCode.INTERNAL,
                "could not put a received checkpoint in place in "
                        + root
                        + ": "
                        + cause
                        + ". Check that disk; the next start goes on with it.",
                cause);
    }
}

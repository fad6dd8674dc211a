package io.flinkfluss.storage.server.kv;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.log.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Opens the key-value states of shards. Thread-safe. */
@FunctionalInterface
public interface KvStores {
    /** Name's end of a file that never changes and whose content has checksums of its own. */
    String DATA_FILE = ".sst";

    /**
     * Opens the store, empty when the folder does not exist.
     *
     * @throws StorageException CORRUPT_DATA
     */
    KvStore open(Path folder);

    /**
     * Makes the folder of a store equal to a checkpoint, mostly by hard links, or empty; what was
     * there is deleted.
     */
    static void restore(Optional<Path> checkpoint, Path folder) {
        try {
            Folders.deleteTree(folder);
            Files.createDirectories(folder);
            List<Path> copied =
                    checkpoint.isPresent() ? Folders.list(checkpoint.get()) : List.<Path>of();
            for (Path file : copied) {
                Path target = folder.resolve(file.getFileName());
                // Data files never change; the others are written in place.
                if (file.getFileName().toString().endsWith(DATA_FILE)) {
                    Files.createLink(target, file);
                } else {
                    Files.copy(file, target);
                }
            }
        } catch (IOException e) {
            throw new StorageException(
                    ErrorCode.INTERNAL,
                    "could not restore " + folder + " from " + checkpoint + ": " + e,
                    e);
        }
    }
}

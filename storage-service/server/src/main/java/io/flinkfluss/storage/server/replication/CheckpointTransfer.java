package io.flinkfluss.storage.server.replication;

import java.nio.file.Path;
import java.util.Optional;

/** How checkpoints of a state leave this node and enter it. Any thread, but for one method. */
public interface CheckpointTransfer {
    /** The newest durable checkpoint; empty without one. Close it. */
    Optional<HeldCheckpoint> hold();

    /** Where the files of another replica's checkpoint are received, by name. Survives restarts. */
    Path incoming();

    /**
     * A file of this replica that may be equal to that file of another replica's checkpoint, or
     * begin like it.
     */
    Optional<LocalFile> similar(String name);

    /**
     * Looks at what was received, every file of which has the right length and checksum.
     *
     * @return the position of that checkpoint
     * @throws io.flinkfluss.storage.api.error.StorageException CORRUPT_DATA
     */
    Position verify();

    /**
     * Replaces the state by what was received. A process that ends at any moment leaves the old
     * state or the new one. Readers go on with the new one; reads that are open fail with
     * NOT_READY. On the applying thread.
     *
     * @return the position of the state
     */
    Position install();

    /**
     * @param isComplete whether nothing will be written to it any more
     */
    record LocalFile(Path path, boolean isComplete) {}
}

package io.flinkfluss.storage.server.transfer;

import java.util.List;
import java.util.function.Consumer;

/** The checkpoints of one other node. Every call blocks, within a deadline. One thread. */
public interface PeerCheckpoints extends AutoCloseable {
    /**
     * @throws io.flinkfluss.storage.api.error.StorageException UNREACHABLE, or what {@link
     *     CheckpointLeases#lease} refuses with
     */
    CheckpointListing lease(String group, long leastIndex);

    /** See {@link CheckpointLeases#checksums}. */
    List<Long> checksums(long lease, List<Integer> files);

    /**
     * Reads parts of files in order; the sender waits while the receiver is busy.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException UNREACHABLE when the connection
     *     broke, after some parts perhaps
     */
    void read(FileTicket ticket, Consumer<FileChunk> receiver);

    void release(long lease);

    @Override
    void close();

    /** Connects to nodes. */
    @FunctionalInterface
    interface Connector {
        /**
         * @param address host and port where the node serves clients
         */
        PeerCheckpoints connect(String address);
    }
}

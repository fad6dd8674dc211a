package io.flinkfluss.storage.server.replication;

import java.util.concurrent.CompletableFuture;

/** Fetches a checkpoint from another node, for a replica that the log alone cannot bring along. */
@FunctionalInterface
public interface CatchUp {
    /**
     * Receives the newest checkpoint of a group. When it failed it may be tried again and goes on
     * where it stopped.
     *
     * @param address host and port where the other node serves clients
     * @param leastIndex the checkpoint contains this entry
     * @return completes with the checkpoint's position when it is durable here, ready for {@link
     *     CheckpointTransfer#install}
     */
    CompletableFuture<Position> fetch(
            String group, CheckpointTransfer transfer, String address, long leastIndex);
}

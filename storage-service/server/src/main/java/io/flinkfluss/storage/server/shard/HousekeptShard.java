package io.flinkfluss.storage.server.shard;

import java.util.concurrent.CompletableFuture;

/** A shard as its housekeeping uses it: the replica here, and the group's log where it leads. */
public interface HousekeptShard {
    /** The shard's number. */
    int number();

    /** Whether this node leads the shard's group. */
    boolean leads();

    /**
     * Completes when everything is applied here that was committed before the call; fails when this
     * node does not lead, which a majority has confirmed otherwise.
     */
    CompletableFuture<Void> leaderBarrier();

    ShardLogs logs();

    /** Completes with the answer, a refusal too; exceptionally when it is not known. */
    CompletableFuture<ShardAnswer> propose(ShardCommand command);
}

package io.flinkfluss.storage.server.shard;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The fixture's shard as its housekeeping sees it, on a node that may not lead. */
final class KeptShard implements HousekeptShard {
    private final ShardFixture shard;
    final List<ShardCommand> proposed = new ArrayList<>();
    boolean leads = true;

    /** Whether a majority follows this node, whatever it believes. */
    boolean followed = true;

    /** Whether the next answer is lost on its way, after or before the command was applied. */
    Loss loss = Loss.NONE;

    enum Loss {
        NONE,
        OF_ANSWER,
        OF_COMMAND
    }

    KeptShard(ShardFixture shard) {
        this.shard = shard;
    }

    @Override
    public int number() {
        return 3;
    }

    @Override
    public boolean leads() {
        return leads;
    }

    @Override
    public CompletableFuture<Void> leaderBarrier() {
        return followed
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(
                        new StorageException(ErrorCode.NOT_LEADER, "another node leads"));
    }

    @Override
    public ShardLogs logs() {
        return shard.state().logs();
    }

    @Override
    public CompletableFuture<ShardAnswer> propose(ShardCommand command) {
        proposed.add(command);
        Loss lost = loss;
        loss = Loss.NONE;
        if (lost == Loss.OF_COMMAND) {
            return lost();
        }
        ShardAnswer answer = shard.apply(command).get(0);
        return lost == Loss.OF_ANSWER ? lost() : CompletableFuture.completedFuture(answer);
    }

    private static CompletableFuture<ShardAnswer> lost() {
        return CompletableFuture.failedFuture(
                new StorageException(ErrorCode.TIMEOUT, "the answer is lost"));
    }
}

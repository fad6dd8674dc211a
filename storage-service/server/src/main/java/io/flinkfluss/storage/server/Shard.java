package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.level.ClusterLevel;
import io.flinkfluss.storage.server.replication.Proposer;
import io.flinkfluss.storage.server.replication.ReplicatedGroup;
import io.flinkfluss.storage.server.shard.ShardAnswer;
import io.flinkfluss.storage.server.shard.ShardCommand;
import io.flinkfluss.storage.server.shard.ShardCommands;
import io.flinkfluss.storage.server.shard.ShardReads;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * One shard group on this node: reads from the local replica, writes through its log.
 *
 * @param forwarding runs what waits for the answers of other nodes
 */
record Shard(
        ShardReads reads,
        Proposer<ShardCommand, ShardAnswer> proposer,
        ReplicatedGroup group,
        ClusterLevel level,
        Executor forwarding) {
    private static final ShardCodec CODEC = new ShardCodec();

    /**
     * Completes with the answer, exceptionally when the command was refused. On the applying
     * thread: what depends on it must be short.
     */
    <A extends ShardAnswer> CompletableFuture<A> propose(ShardCommand command, Class<A> answer) {
        return propose(command).thenApply(given -> accepted(given, answer));
    }

    /** Completes with whatever the answer is; exceptionally when nothing may be written. */
    CompletableFuture<ShardAnswer> propose(ShardCommand command) {
        try {
            requireLevel(command);
        } catch (StorageException refused) {
            return CompletableFuture.failedFuture(refused);
        }
        return proposer.propose(command, ShardCommands.sizeInBytes(command));
    }

    /**
     * Writes the commands to the group's log, wherever its leader is; completes with the last
     * answer. For commands that have the same effect when they are written twice.
     *
     * @param millis this node's clock
     */
    <A extends ShardAnswer> CompletableFuture<A> proposeAnywhere(
            List<ShardCommand> commands, Class<A> lastAnswer, long millis) {
        try {
            commands.forEach(this::requireLevel);
            return CompletableFuture.supplyAsync(
                            () -> CODEC.decode(group.forward(millis, CODEC.encode(commands))),
                            forwarding)
                    .thenApply(given -> accepted(given.get(given.size() - 1), lastAnswer));
        } catch (StorageException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private void requireLevel(ShardCommand command) {
        level.require(ShardCommands.needs(command), command.getClass().getSimpleName());
    }

    private static <A extends ShardAnswer> A accepted(ShardAnswer given, Class<A> answer) {
        if (given instanceof ShardAnswer.Refused refused) {
            throw refused.toException();
        }
        return answer.cast(given);
    }
}

package io.flinkfluss.storage.server;

import io.flinkfluss.storage.server.replication.Proposer;
import io.flinkfluss.storage.server.shard.ShardAnswer;
import io.flinkfluss.storage.server.shard.ShardCommand;
import io.flinkfluss.storage.server.shard.ShardCommands;
import io.flinkfluss.storage.server.shard.ShardReads;
import java.util.concurrent.CompletableFuture;

/** One shard group on this node: reads from the local replica, writes through its log. */
record Shard(ShardReads reads, Proposer<ShardCommand, ShardAnswer> proposer) {

    /**
     * Completes with the answer, exceptionally when the command was refused. On the applying
     * thread: what depends on it must be short.
     */
    <A extends ShardAnswer> CompletableFuture<A> propose(ShardCommand command, Class<A> answer) {
        return proposer.propose(command, ShardCommands.sizeInBytes(command))
                .thenApply(
                        given -> {
                            if (given instanceof ShardAnswer.Refused refused) {
                                throw refused.toException();
                            }
                            return answer.cast(given);
                        });
    }
}

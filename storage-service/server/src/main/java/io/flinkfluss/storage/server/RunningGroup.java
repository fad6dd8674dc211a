package io.flinkfluss.storage.server;

import io.flinkfluss.storage.server.replication.CommandCodec;
import io.flinkfluss.storage.server.replication.Proposer;
import io.flinkfluss.storage.server.replication.ProposerLimits;
import io.flinkfluss.storage.server.replication.ReplicatedGroup;
import io.flinkfluss.storage.server.runtime.Checkpointer;
import io.flinkfluss.storage.server.runtime.ServerClock;
import io.flinkfluss.storage.server.runtime.ServerThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** One group on this node: its replica, what proposes to it and what makes its checkpoints. */
record RunningGroup(ReplicatedGroup group, Proposer<?, ?> proposer, Checkpointer checkpointer) {
    static final String METADATA = "metadata";

    private static final Duration CHECKPOINT_DEADLINE = Duration.ofMinutes(1);

    static String shardName(int shard) {
        return "shard-" + shard;
    }

    static <C, A> Proposer<C, A> proposer(
            ServerConfig config,
            ReplicatedGroup group,
            CommandCodec<C, A> codec,
            ServerClock clock) {
        return new Proposer<>(
                group.name(),
                group,
                codec,
                new ProposerLimits(
                        config.writes().entryBytes(),
                        config.writes().entriesInFlight(),
                        2 * config.transport().nodeInFlightBytes(),
                        config.writes().timeout()),
                clock);
    }

    /** The proposer works from now on. */
    static RunningGroup start(
            ServerConfig config,
            ReplicatedGroup group,
            Proposer<?, ?> proposer,
            ServerThreads threads,
            ServerClock clock) {
        Checkpointer checkpointer =
                new Checkpointer(new Subject(group), config.checkpoints(), clock);
        Thread unused = threads.loop("fluss-proposer-" + group.name(), proposer::run);
        return new RunningGroup(group, proposer, checkpointer);
    }

    String name() {
        return group.name();
    }

    CompletableFuture<Long> checkpoint() {
        return group.checkpoint(CHECKPOINT_DEADLINE);
    }

    /** A group as {@link Checkpointer} sees it. */
    private record Subject(ReplicatedGroup group) implements Checkpointer.Subject {
        @Override
        public long bytesSinceCheckpoint() {
            return group.bytesSinceCheckpoint();
        }

        @Override
        public Duration applyTimeSinceCheckpoint() {
            return group.applyTimeSinceCheckpoint();
        }

        @Override
        public CompletableFuture<?> checkpoint() {
            return group.checkpoint(CHECKPOINT_DEADLINE);
        }

        @Override
        public String toString() {
            return group.name();
        }
    }
}

package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.metadata.MetadataAnswer;
import io.flinkfluss.storage.server.metadata.MetadataCommand;
import io.flinkfluss.storage.server.metadata.MetadataCommands;
import io.flinkfluss.storage.server.metadata.MetadataState;
import io.flinkfluss.storage.server.replication.Proposer;
import io.flinkfluss.storage.server.replication.ReplicatedGroup;
import io.flinkfluss.storage.server.runtime.ServerClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The metadata group: reads from the local replica, changes through its log. What this node's
 * replica does not know may only be late, so whoever relies on it asks for a {@link #barrier}. Any
 * thread.
 */
final class Metadata {
    private static final int BYTES_OF_A_COMMAND = 4096;
    private static final int NUMBERS_AT_ONCE = 1000;
    private static final MetadataCommands CODEC = new MetadataCommands();

    private final MetadataState state;
    private final Proposer<MetadataCommand, MetadataAnswer> proposer;
    private final ReplicatedGroup group;
    private final ServerClock clock;
    private final Duration deadline;

    /** Guards the two fields below; held while a block of numbers is taken. */
    private final Object lock = new Object();

    private long nextNumber;
    private long endOfNumbers;

    Metadata(
            MetadataState state,
            Proposer<MetadataCommand, MetadataAnswer> proposer,
            ReplicatedGroup group,
            ServerClock clock,
            Duration deadline) {
        this.state = state;
        this.proposer = proposer;
        this.group = group;
        this.clock = clock;
        this.deadline = deadline;
    }

    /** This node's replica as it is now, perhaps late. */
    MetadataState state() {
        return state;
    }

    /** This node's replica with every change that was confirmed before the call; waits for it. */
    MetadataState current() {
        Answers.await(barrier(), deadline, "what is current of the metadata");
        return state;
    }

    /** Completes when this node's replica has every change that was confirmed before the call. */
    CompletableFuture<Void> barrier() {
        return group.barrier();
    }

    /**
     * Makes a change; it is durable and visible here when this returns. Only on the group's leader.
     *
     * @throws StorageException what the change was refused with; NOT_LEADER, TIMEOUT
     */
    <A extends MetadataAnswer> A change(MetadataCommand command, Class<A> answer) {
        requireLevel(command);
        MetadataAnswer given =
                Answers.await(
                        proposer.propose(command, BYTES_OF_A_COMMAND),
                        deadline,
                        "a change of metadata");
        return accepted(given, answer);
    }

    private static <A extends MetadataAnswer> A accepted(MetadataAnswer given, Class<A> answer) {
        if (given instanceof MetadataAnswer.Refused refused) {
            throw refused.toException();
        }
        return answer.cast(given);
    }

    private void requireLevel(MetadataCommand command) {
        state.level().require(MetadataCommands.needs(command), command.getClass().getSimpleName());
    }

    /**
     * @throws StorageException NOT_LEADER naming the leader
     */
    void requireLeader() {
        group.requireLeader();
    }

    boolean isLeader() {
        return group.isLeader();
    }

    /** From now on the node shall lead nothing, or may lead again; on any node. */
    void setDraining(String node, boolean draining) {
        changeAnywhere(new MetadataCommand.SetDraining(node, draining), MetadataAnswer.Done.class);
    }

    /** A change that may be made twice, on any node. */
    <A extends MetadataAnswer> A changeAnywhere(MetadataCommand command, Class<A> answer) {
        if (group.isLeader()) {
            return change(command, answer);
        }
        requireLevel(command);
        byte[] answers = group.forward(clock.millis(), CODEC.encode(List.of(command)));
        return accepted(CODEC.decode(answers).get(0), answer);
    }

    /** A number that was never given out before; numbers are taken from the log in blocks. */
    long newNumber() {
        synchronized (lock) {
            if (nextNumber == endOfNumbers) {
                // Taken twice, some numbers are lost, which is harmless.
                nextNumber =
                        changeAnywhere(
                                        new MetadataCommand.TakeNumbers(NUMBERS_AT_ONCE),
                                        MetadataAnswer.Numbers.class)
                                .first();
                endOfNumbers = nextNumber + NUMBERS_AT_ONCE;
            }
            return nextNumber++;
        }
    }
}

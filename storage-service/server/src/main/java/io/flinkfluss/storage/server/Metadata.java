package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.metadata.MetadataAnswer;
import io.flinkfluss.storage.server.metadata.MetadataCommand;
import io.flinkfluss.storage.server.metadata.MetadataState;
import io.flinkfluss.storage.server.replication.Proposer;
import java.time.Duration;

/** The metadata group: reads from the local state, changes through its log. Any thread. */
final class Metadata {
    private static final int BYTES_OF_A_COMMAND = 4096;
    private static final int NUMBERS_AT_ONCE = 1000;

    private final MetadataState state;
    private final Proposer<MetadataCommand, MetadataAnswer> proposer;
    private final Duration deadline;

    /** Guards the two fields below; held while a block of numbers is taken. */
    private final Object lock = new Object();

    private long nextNumber;
    private long endOfNumbers;

    Metadata(
            MetadataState state,
            Proposer<MetadataCommand, MetadataAnswer> proposer,
            Duration deadline) {
        this.state = state;
        this.proposer = proposer;
        this.deadline = deadline;
    }

    MetadataState state() {
        return state;
    }

    /**
     * Makes a change; it is durable and visible here when this returns.
     *
     * @throws StorageException what the change was refused with; TIMEOUT
     */
    <A extends MetadataAnswer> A change(MetadataCommand command, Class<A> answer) {
        MetadataAnswer given =
                Answers.await(
                        proposer.propose(command, BYTES_OF_A_COMMAND),
                        deadline,
                        "a change of metadata");
        if (given instanceof MetadataAnswer.Refused refused) {
            throw refused.toException();
        }
        return answer.cast(given);
    }

    /** A number that was never given out before; numbers are taken from the log in blocks. */
    long newNumber() {
        synchronized (lock) {
            if (nextNumber == endOfNumbers) {
                nextNumber =
                        change(
                                        new MetadataCommand.TakeNumbers(NUMBERS_AT_ONCE),
                                        MetadataAnswer.Numbers.class)
                                .first();
                endOfNumbers = nextNumber + NUMBERS_AT_ONCE;
            }
            return nextNumber++;
        }
    }
}

package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.server.runtime.DelayedTasks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;

/**
 * Ends this node's own rounds of votes when it votes for another. Ratis 3.3.0 gives its answer only
 * after the own round has ended, and that waits for whoever is silent, for up to one and a half
 * election timeouts: when two nodes notice at about the same time that a leader is deaf, paused or
 * cut off, the one that is elected learns of it that much later. Any thread.
 */
final class StaleElections implements AutoCloseable {
    private static final String ELECTION = "-LeaderElection";

    /** After a vote came; before the first of them Ratis has not decided. */
    private static final List<Duration> LOOKS =
            Stream.of(5, 20, 60, 150, 400).map(Duration::ofMillis).toList();

    private final Function<RaftGroupId, Optional<RaftServer.Division>> divisions;
    private final DelayedTasks looks = new DelayedTasks("fluss-stale-elections");

    /**
     * @param divisions of this node; empty for a group that is not open yet
     */
    StaleElections(Function<RaftGroupId, Optional<RaftServer.Division>> divisions) {
        this.divisions = divisions;
    }

    /** Another node asks for this node's vote. */
    void asked(RaftGroupId group) {
        for (Duration delay : LOOKS) {
            looks.after(delay, () -> endStale(group));
        }
    }

    private void endStale(RaftGroupId group) {
        divisions
                .apply(group)
                .ifPresent(
                        division ->
                                endStale(
                                        division.getMemberId().toString(),
                                        division.getInfo()::isFollower));
    }

    /** Ends the rounds of a member that is a follower again. */
    static void endStale(String member, BooleanSupplier isFollower) {
        // In this order: an election that ran before, of a member that is a follower after, is over
        // and only waits. That of a member which has just won still has to make it the leader.
        List<Thread> running = elections(member);
        if (isFollower.getAsBoolean()) {
            running.forEach(Thread::interrupt);
        }
    }

    private static List<Thread> elections(String member) {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] threads = new Thread[2 * root.activeCount() + 16];
        int count = root.enumerate(threads);
        return Stream.of(threads)
                .limit(count)
                .filter(thread -> thread.getName().startsWith(member + ELECTION))
                .toList();
    }

    @Override
    public void close() {
        looks.close();
    }
}

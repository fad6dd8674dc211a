package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.server.runtime.ServerClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the promise that a leader's lease rests on: who has answered a leader votes for nobody else
 * for one election timeout. Ratis checks that when a candidate asks beforehand (pre-vote), but not
 * again when it asks for the vote itself. Between the two, this node may hear of the leader again
 * and renew its lease, and then help to elect another while the first one still answers reads.
 *
 * <p>A candidate to whom a leader hands over asks without asking beforehand, and that leader has
 * given its lease up: such votes pass. Any thread.
 */
final class VoteGuard {
    private final Duration electionTimeout;
    private final ServerClock clock;
    private final Map<String, Heard> leaders = new ConcurrentHashMap<>();
    private final Map<Asked, Long> asked = new ConcurrentHashMap<>();

    VoteGuard(Duration electionTimeout, ServerClock clock) {
        this.electionTimeout = electionTimeout;
        this.clock = clock;
    }

    /** A leader's message came. */
    void heard(String group, String leader, long term) {
        leaders.put(group, new Heard(leader, term, clock.nanos()));
    }

    /** A candidate asked whether it would get a vote. */
    void askedBeforehand(String group, String candidate, long currentTerm) {
        asked.put(new Asked(group, candidate), currentTerm);
    }

    /** Whether a vote for the candidate would break what was promised to a leader. */
    boolean refuses(String group, String candidate, long electionTerm) {
        Heard leader = leaders.get(group);
        Long askedIn = asked.get(new Asked(group, candidate));
        return leader != null
                && askedIn != null
                && askedIn == electionTerm - 1
                && !leader.leader.equals(candidate)
                && leader.term < electionTerm
                && clock.nanos() - leader.nanos < electionTimeout.toNanos();
    }

    private record Heard(String leader, long term, long nanos) {}

    private record Asked(String group, String candidate) {}
}

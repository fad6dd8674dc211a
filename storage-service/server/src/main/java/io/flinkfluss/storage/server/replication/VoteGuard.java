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
 * given its lease up: such votes pass.
 *
 * <p>It also keeps a node that is deaf from holding up elections. Any thread.
 */
final class VoteGuard {
    private final Duration electionTimeout;
    private final ServerClock clock;

    /** Longer than it takes this node to become a candidate. */
    private final Duration answerPause;

    private final Map<String, Heard> leaders = new ConcurrentHashMap<>();
    private final Map<Asked, Question> asked = new ConcurrentHashMap<>();

    VoteGuard(Duration electionTimeout, ServerClock clock) {
        this.electionTimeout = electionTimeout;
        this.clock = clock;
        answerPause = electionTimeout.multipliedBy(2);
    }

    /** A leader's message came. */
    void heard(String group, String leader, long term) {
        leaders.put(group, new Heard(leader, term, clock.nanos()));
    }

    /**
     * A candidate asks whether it would get a vote. Returns whether it may be answered: not when it
     * was answered a moment ago and asks the same again. It may be deaf, and with each answer Ratis
     * puts this node's own candidacy off: a node that is heard and hears nothing would keep the
     * others from an election for as long as it does.
     */
    boolean askedBeforehand(String group, String candidate, long currentTerm) {
        Question question = new Question(currentTerm, clock.nanos());
        Question kept =
                asked.merge(
                        new Asked(group, candidate),
                        question,
                        (last, now) -> last.isRepeatedBy(now, answerPause) ? last : now);
        return kept == question;
    }

    /** Whether a vote for the candidate would break what was promised to a leader. */
    boolean refuses(String group, String candidate, long electionTerm) {
        Heard leader = leaders.get(group);
        Question question = asked.get(new Asked(group, candidate));
        return leader != null
                && question != null
                && question.term == electionTerm - 1
                && !leader.leader.equals(candidate)
                && leader.term < electionTerm
                && clock.nanos() - leader.nanos < electionTimeout.toNanos();
    }

    private record Heard(String leader, long term, long nanos) {}

    private record Asked(String group, String candidate) {}

    /** The last one that was let through. */
    private record Question(long term, long nanos) {
        private boolean isRepeatedBy(Question later, Duration pause) {
            return later.term == term && later.nanos - nanos < pause.toNanos();
        }
    }
}

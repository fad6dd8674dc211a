package io.flinkfluss.storage.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.server.runtime.ServerClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class VoteGuardTest {
    private static final long TERM = 7;

    private long millis;
    private final VoteGuard guard =
            new VoteGuard(
                    Duration.ofSeconds(1),
                    new ServerClock() {
                        @Override
                        public long millis() {
                            return millis;
                        }

                        @Override
                        public long nanos() {
                            return millis * 1_000_000;
                        }
                    });

    @Test
    void aCandidateWhoseLeaderIsSilentGetsTheVote() {
        guard.heard("g", "leader", TERM);
        millis += 1_200;
        assertThat(guard.askedBeforehand("g", "candidate", TERM)).isTrue();
        millis += 10;
        assertThat(guard.refuses("g", "candidate", TERM + 1)).isFalse();
    }

    @Test
    void aLeaderThatIsHeardBetweenTheQuestionAndTheVoteKeepsItsLease() {
        guard.heard("g", "leader", TERM);
        millis += 1_200;
        assertThat(guard.askedBeforehand("g", "candidate", TERM)).isTrue();
        guard.heard("g", "leader", TERM);
        millis += 900;
        assertThat(guard.refuses("g", "candidate", TERM + 1)).isTrue();
        assertThat(guard.refuses("other group", "candidate", TERM + 1)).isFalse();
        millis += 100;
        assertThat(guard.refuses("g", "candidate", TERM + 1)).as("the lease is over").isFalse();
    }

    @Test
    void aCandidateThatSleptBetweenTheQuestionAndTheVoteIsRefused() {
        assertThat(guard.askedBeforehand("g", "candidate", TERM)).isTrue();
        millis += 60_000;
        guard.heard("g", "leader", TERM);
        assertThat(guard.refuses("g", "candidate", TERM + 1)).isTrue();
    }

    @Test
    void aCandidateThatDoesNotHearTheAnswerIsNotAnsweredAgainAtOnce() {
        assertThat(guard.askedBeforehand("g", "deaf", TERM)).isTrue();
        millis += 1_200;
        assertThat(guard.askedBeforehand("g", "deaf", TERM)).isFalse();
        assertThat(guard.askedBeforehand("other group", "deaf", TERM)).isTrue();
        assertThat(guard.askedBeforehand("g", "another", TERM)).isTrue();
        millis += 800;
        assertThat(guard.askedBeforehand("g", "deaf", TERM)).as("nobody was elected").isTrue();
        millis += 100;
        assertThat(guard.askedBeforehand("g", "deaf", TERM + 1)).as("a new election").isTrue();
    }

    @Test
    void aLeaderThatHandsOverIsNotHeldTo() {
        guard.heard("g", "leader", TERM);
        assertThat(guard.refuses("g", "successor", TERM + 1))
                .as("a successor does not ask beforehand")
                .isFalse();
    }
}

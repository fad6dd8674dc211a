package io.flinkfluss.storage.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads with the names that Ratis gives its elections, which wait for votes that do not come. */
@Timeout(20)
class StaleElectionsTest {
    private static final String MEMBER = "n1@group-ABC";

    private final List<Thread> started = new ArrayList<>();
    private final CountDownLatch never = new CountDownLatch(1);

    @AfterEach
    void end() {
        never.countDown();
    }

    private CountDownLatch election(String name) {
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                never.await();
                            } catch (InterruptedException told) {
                                interrupted.countDown();
                            }
                        },
                        name);
        started.add(thread);
        thread.start();
        return interrupted;
    }

    @Test
    void theElectionOfAMemberThatVotedForAnotherEndsAndOthersGoOn() throws Exception {
        CountDownLatch own = election(MEMBER + "-LeaderElection7");
        CountDownLatch other = election("n1@group-DEF-LeaderElection8");

        StaleElections.endStale(MEMBER, () -> true);

        assertThat(own.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(other.getCount()).isEqualTo(1);
    }

    @Test
    void theElectionOfACandidateAndOfAWinnerGoesOn() throws Exception {
        CountDownLatch own = election(MEMBER + "-LeaderElection7");

        StaleElections.endStale(MEMBER, () -> false);
        never.countDown();

        for (Thread thread : started) {
            thread.join();
        }
        assertThat(own.getCount()).isEqualTo(1);
    }
}

package io.flinkfluss.storage.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.error.ErrorCode;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes of which some stop. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ReplicationClusterTest {
    @TempDir Path folder;

    @Test
    void nothingAcknowledgedIsLostWhenTheLeaderStops() throws Exception {
        try (ThreeNodes nodes = new ThreeNodes(folder).startAll()) {
            String first = nodes.leader();
            long sum = 0;
            for (int i = 1; i <= 100; i++) {
                sum = nodes.add(first, i);
            }
            assertThat(sum).isEqualTo(5050);

            // When the leader stops, another takes over with every entry
            nodes.stop(first);
            String second = nodes.leader();
            assertThat(nodes.add(second, 1)).isEqualTo(5051);

            // And the first, when it is back, has what happened without it
            nodes.start(first);
            nodes.node(first).awaitReady(ThreeNodes.PATIENCE);
            assertThat(nodes.state(first).sum()).isEqualTo(5051);
        }
    }

    @Test
    void onlyTheLeaderTakesEntriesAndOthersNameIt() throws Exception {
        try (ThreeNodes nodes = new ThreeNodes(folder).startAll()) {
            String leader = nodes.leader();
            for (String follower : nodes.others(leader)) {
                assertThat(ThreeNodes.refusal(nodes.submit(follower, 1)))
                        .hasMessageContaining("node " + leader + " at 127.0.0.1:")
                        .extracting("code")
                        .isEqualTo(ErrorCode.NOT_LEADER);
                assertThat(ThreeNodes.refusal(nodes.sums(follower).leaderBarrier()))
                        .extracting("code")
                        .isEqualTo(ErrorCode.NOT_LEADER);
            }
            assertThat(nodes.add(leader, 1)).as("refused entries had no effect").isEqualTo(1);
        }
    }

    @Test
    void aFollowersBarrierShowsWhatWasAcknowledgedBefore() throws Exception {
        try (ThreeNodes nodes = new ThreeNodes(folder).startAll()) {
            String leader = nodes.leader();
            for (int i = 1; i <= 20; i++) {
                long sum = nodes.add(leader, 1);
                for (String follower : nodes.others(leader)) {
                    nodes.sums(follower).barrier().get(20, TimeUnit.SECONDS);
                    assertThat(nodes.state(follower).sum()).isGreaterThanOrEqualTo(sum);
                }
            }
        }
    }

    @Test
    void anEntryIsForwardedToTheLeaderFromAnyNode() throws Exception {
        try (ThreeNodes nodes = new ThreeNodes(folder).startAll()) {
            long expected = 0;
            for (String id : List.of("n1", "n2", "n3")) {
                byte[] answer = nodes.sums(id).forward(1, ByteBuffer.allocate(8).putLong(7).flip());
                expected += 7;
                assertThat(ByteBuffer.wrap(answer).getLong()).isEqualTo(expected);
            }
        }
    }

    @Test
    void aLeaderWithoutAMajorityAnswersNoBarrierAndFailsWhatWaits() throws Exception {
        try (ThreeNodes nodes = new ThreeNodes(folder).startAll()) {
            String leader = nodes.leader();
            nodes.add(leader, 1);
            nodes.others(leader).forEach(nodes::stop);

            // Unknown when it still led, refused when it knew already that it does not.
            assertThat(ThreeNodes.refusal(nodes.submit(leader, 1)))
                    .extracting("code")
                    .isIn(ErrorCode.TIMEOUT, ErrorCode.NOT_LEADER, ErrorCode.NOT_READY);
            assertThat(ThreeNodes.refusal(nodes.sums(leader).leaderBarrier()))
                    .extracting("code")
                    .isIn(ErrorCode.NOT_LEADER, ErrorCode.NOT_READY);
            assertThat(nodes.sums(leader).isLeader()).isFalse();
            assertThat(ThreeNodes.refusal(nodes.sums(leader).barrier()))
                    .extracting("code")
                    .isEqualTo(ErrorCode.NOT_READY);
        }
    }

    @Test
    void twoNodesThatComeBackFindALeaderSoon() throws Exception {
        try (ThreeNodes nodes = new ThreeNodes(folder).startAll()) {
            String leader = nodes.leader();
            long sum = nodes.add(leader, 5);
            List<String> others = nodes.others(leader);
            others.forEach(nodes::stop);
            // While it is alone, its channels to the others try less and less often.
            nodes.await(
                    "step down",
                    () -> Optional.of(leader).filter(id -> !nodes.sums(id).isLeader()));
            others.forEach(nodes::start);
            String next = nodes.leader();
            assertThat(nodes.add(next, 1)).isEqualTo(sum + 1);
        }
    }

    @Test
    void aNodeThatDrainsHandsItsLeadershipOver() throws Exception {
        try (ThreeNodes nodes = new ThreeNodes(folder).startAll()) {
            String first = nodes.leader();
            nodes.add(first, 5);
            String second =
                    nodes.await(
                            "leader that does not drain",
                            () -> {
                                nodes.node(first).balance(Set.of(first));
                                return nodes.others(first).stream()
                                        .filter(id -> nodes.sums(id).isLeader())
                                        .findFirst();
                            });
            assertThat(nodes.add(second, 1)).isEqualTo(6);
        }
    }

    @Test
    void aNodeThatStopsLeavesItsLeadershipBehind() throws Exception {
        try (ThreeNodes nodes = new ThreeNodes(folder).startAll()) {
            String first = nodes.leader();
            nodes.add(first, 5);
            nodes.await(
                    "farewell",
                    () -> {
                        try {
                            return nodes.node(first).leave(Duration.ofSeconds(5), Set.of())
                                    ? Optional.of(first)
                                    : Optional.empty();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    });
            assertThat(nodes.leader()).isNotEqualTo(first);
        }
    }
}

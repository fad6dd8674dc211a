package io.flinkfluss.storage.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.ratis.server.RaftServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class UnheardLeadersTest {
    private static final Duration LONGEST = Duration.ofMillis(1_500);

    @TempDir private Path folder;

    private final UnheardLeaders unheard = new UnheardLeaders(LONGEST);

    @Test
    void aLeaderIsUnheardWhenNoMajorityAnsweredLately() {
        assertThat(unheard.isUnheard(silent(1_501, 1_501))).isTrue();
        assertThat(unheard.isUnheard(silent(1_500, 1_501))).isFalse();
        assertThat(unheard.isUnheard(silent(10, 9_000, 9_000, 9_000))).isTrue();
        assertThat(unheard.isUnheard(silent(10, 10, 9_000, 9_000))).isFalse();
        assertThat(unheard.isUnheard(silent(9_000))).isTrue();
        assertThat(unheard.isUnheard(silent(10))).isFalse();
        // Alone, or no leader.
        assertThat(unheard.isUnheard(silent())).isFalse();
    }

    @Test
    void ratisCanBeAskedWhetherItsLeaderIsHeard() throws Exception {
        try (ThreeNodes nodes = new ThreeNodes(folder).startAll()) {
            String leader = nodes.leader();
            String follower = nodes.others(leader).get(0);

            assertThat(unheard.look(nodes.sums(leader).division())).contains(true);
            assertThat(unheard.look(nodes.sums(follower).division())).isEmpty();
        }
    }

    @Test
    void aLeaderWhoseFollowersAreGoneGivesUpWhenItLooks() throws Exception {
        try (ThreeNodes nodes = new ThreeNodes(folder).startAll()) {
            String leader = nodes.leader();
            RaftServer.Division division = nodes.sums(leader).division();
            nodes.others(leader).forEach(nodes::stop);

            nodes.await("silence", () -> silenceOrEnd(division));
            assertThat(unheard.look(division)).isNotEqualTo(Optional.of(true));
            assertThat(division.getInfo().isLeader()).isFalse();
        }
    }

    private Optional<Boolean> silenceOrEnd(RaftServer.Division division) {
        boolean over = unheard.isUnheard(Followers.of(division)) || !division.getInfo().isLeader();
        return over ? Optional.of(true) : Optional.empty();
    }

    private static Followers silent(long... millis) {
        List<Followers.Follower> followers =
                LongStream.of(millis)
                        .mapToObj(each -> new Followers.Follower("n", each, 0))
                        .toList();
        return new Followers(followers);
    }
}

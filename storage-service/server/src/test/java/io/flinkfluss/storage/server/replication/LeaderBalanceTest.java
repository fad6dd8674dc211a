package io.flinkfluss.storage.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.server.replication.LeaderBalance.Move;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LeaderBalanceTest {
    private static final List<String> NODES = List.of("n1", "n2", "n3");

    @Test
    void aNodeThatLeadsTwoMoreThanAnotherHandsOneOver() {
        Map<String, String> leaders = Map.of("a", "n1", "b", "n1", "c", "n2");
        assertThat(LeaderBalance.next("n1", leaders, Set.of(), NODES))
                .contains(new Move("a", "n3"));
        assertThat(LeaderBalance.next("n2", leaders, Set.of(), NODES)).isEmpty();
        assertThat(LeaderBalance.next("n3", leaders, Set.of(), NODES)).isEmpty();
    }

    @Test
    void aDifferenceOfOneStays() {
        Map<String, String> leaders = Map.of("a", "n1", "b", "n2", "c", "n3", "d", "n1");
        for (String node : NODES) {
            assertThat(LeaderBalance.next(node, leaders, Set.of(), NODES)).isEmpty();
        }
    }

    @Test
    void onlyCandidatesTakeOver() {
        Map<String, String> leaders = Map.of("a", "n1", "b", "n1", "c", "n1");
        assertThat(LeaderBalance.next("n1", leaders, Set.of(), List.of("n2")))
                .contains(new Move("a", "n2"));
        assertThat(LeaderBalance.next("n1", leaders, Set.of("n2"), List.of("n2"))).isEmpty();
        assertThat(LeaderBalance.next("n1", leaders, Set.of(), List.of())).isEmpty();
    }

    @Test
    void aDrainingNodeHandsOverItsLastLeadershipToo() {
        Map<String, String> leaders = Map.of("a", "n1", "b", "n2", "c", "n2");
        assertThat(LeaderBalance.next("n1", leaders, Set.of("n1"), NODES))
                .contains(new Move("a", "n3"));
    }

    @Test
    void movesOfAllNodesAtOnceAlwaysEndEvenly() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            Map<String, String> leaders = new TreeMap<>();
            for (int group = 0; group < 1 + random.nextInt(12); group++) {
                leaders.put("g" + group, NODES.get(random.nextInt(3)));
            }
            int rounds = 0;
            while (moveAll(leaders, random)) {
                assertThat(++rounds).as("seed %d never settles: %s", seed, leaders).isLessThan(50);
            }
            List<Integer> load =
                    NODES.stream()
                            .map(node -> Collections.frequency(leaders.values(), node))
                            .toList();
            assertThat(Collections.max(load) - Collections.min(load))
                    .as("seed %d: %s", seed, leaders)
                    .isLessThan(2);
        }
    }

    /** Every node decides on the same picture; some of the moves are made. */
    private static boolean moveAll(Map<String, String> leaders, Random random) {
        List<Move> moves = new ArrayList<>();
        for (String node : NODES) {
            Optional<Move> move = LeaderBalance.next(node, leaders, Set.of(), NODES);
            move.ifPresent(moves::add);
        }
        Collections.shuffle(moves, random);
        moves.stream()
                .limit(1 + random.nextInt(2))
                .forEach(move -> leaders.put(move.group(), move.target()));
        return !moves.isEmpty();
    }
}

package io.flinkfluss.storage.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.server.replication.LoadPlan.Move;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LoadPlanTest {
    private static final Set<String> NODES = Set.of("n1", "n2", "n3");

    @Test
    void whatIsEvenStays() {
        assertThat(
                        LoadPlan.of(
                                Map.of("a", 100L, "b", 105L, "c", 95L),
                                Map.of("a", "n1", "b", "n2", "c", "n3"),
                                NODES))
                .isEmpty();
    }

    @Test
    void twoBusyGroupsOnOneNodeChangePlacesWithAQuietOne() {
        assertThat(
                        LoadPlan.of(
                                Map.of("a", 100L, "b", 100L, "c", 0L, "d", 0L),
                                Map.of("a", "n1", "b", "n1", "c", "n2", "d", "n2"),
                                Set.of("n1", "n2")))
                .containsExactly(new Move("a", "n2"), new Move("c", "n1"));
    }

    @Test
    void aNodeWithManyLeadersGivesSomeAway() {
        assertThat(
                        LoadPlan.of(
                                Map.of("a", 10L, "b", 10L, "c", 10L),
                                Map.of("a", "n1", "b", "n1", "c", "n1"),
                                NODES))
                .containsExactly(new Move("a", "n2"), new Move("b", "n3"));
    }

    @Test
    void whatANodeLeadsThatShallNotGoesToTheQuietest() {
        assertThat(
                        LoadPlan.of(
                                Map.of("a", 10L, "b", 50L, "c", 5L),
                                Map.of("a", "n1", "b", "n2", "c", "n3"),
                                Set.of("n2", "n3")))
                .containsExactly(new Move("a", "n3"));
    }

    @Test
    void aLoneNodeKeepsAll() {
        assertThat(LoadPlan.of(Map.of("a", 1L), Map.of("a", "n1"), Set.of("n1"))).isEmpty();
    }

    @Test
    void plansEndAndNeverMakeItWorse() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            Map<String, Long> loads = new TreeMap<>();
            Map<String, String> leaders = new TreeMap<>();
            for (int group = 0; group < 1 + random.nextInt(16); group++) {
                loads.put("g" + group, (long) random.nextInt(1_000));
                leaders.put("g" + group, "n" + (1 + random.nextInt(3)));
            }
            long before = largest(loads, leaders);
            var plan = LoadPlan.of(loads, leaders, NODES);
            Map<String, String> after = new TreeMap<>(leaders);
            plan.forEach(move -> after.put(move.group(), move.target()));

            assertThat(largest(loads, after)).as("seed %d", seed).isLessThanOrEqualTo(before);
            assertThat(LoadPlan.of(loads, leaders, NODES)).isEqualTo(plan);
            assertThat(LoadPlan.of(loads, after, NODES)).as("seed %d again", seed).isEmpty();
        }
    }

    private static long largest(Map<String, Long> loads, Map<String, String> leaders) {
        Map<String, Long> totals = new TreeMap<>();
        leaders.forEach((group, node) -> totals.merge(node, loads.get(group), Long::sum));
        return totals.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }
}

package io.flinkfluss.benchmarks.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ScheduleTest {
    private static final Set<Stage> STAGES = EnumSet.allOf(Stage.class);
    private static final Set<Contender> ALL = EnumSet.allOf(Contender.class);

    @Test
    void everyContenderHasOneTurnPerStageAndRound() {
        List<Session> sessions = Schedule.of(3, STAGES, ALL, 1);

        assertThat(sessions).doesNotHaveDuplicates();
        assertThat(sessions)
                .allSatisfy(
                        session ->
                                assertThat(session.contender().takesPartIn(session.stage()))
                                        .isTrue());
        long turns =
                ALL.stream()
                        .mapToLong(each -> STAGES.stream().filter(each::takesPartIn).count())
                        .sum();
        assertThat(sessions).hasSize((int) (3 * turns));
    }

    @Test
    void roundsFollowEachOtherSoThatRatiosAreOfOneTime() {
        List<Session> sessions = Schedule.of(4, STAGES, ALL, 1);

        assertThat(sessions.stream().map(Session::round)).isSorted();
    }

    @Test
    void aSeedIsAnOrder() {
        assertThat(Schedule.of(3, STAGES, ALL, 5)).isEqualTo(Schedule.of(3, STAGES, ALL, 5));
        assertThat(Schedule.of(3, STAGES, ALL, 5)).isNotEqualTo(Schedule.of(3, STAGES, ALL, 6));
    }

    @Test
    void nobodyIsAlwaysFirst() {
        Set<Contender> first =
                IntStream.range(0, 30)
                        .mapToObj(seed -> Schedule.of(1, EnumSet.of(Stage.LATENCY), ALL, seed))
                        .map(sessions -> sessions.get(0).contender())
                        .collect(Collectors.toSet());

        assertThat(first).isEqualTo(ALL);
    }

    @Test
    void twoChangePlacesWithSmallSeedsToo() {
        Set<Contender> two = EnumSet.of(Contender.PRODUCT, Contender.KAFKA);

        assertThat(
                        IntStream.range(0, 10)
                                .mapToObj(seed -> Schedule.of(1, EnumSet.of(Stage.LOG), two, seed))
                                .map(sessions -> sessions.get(0).contender()))
                .containsAll(two);
    }

    @Test
    void aSystemWithoutKeysIsLeftOutThere() {
        assertThat(Schedule.of(1, EnumSet.of(Stage.KEYS), ALL, 1).stream().map(Session::contender))
                .containsExactlyInAnyOrder(
                        Contender.PRODUCT, Contender.FLUSS, Contender.FLUSS_TUNED);
    }

    @Test
    void growthIsComparedWithItselfAlone() {
        assertThat(Schedule.of(1, EnumSet.of(Stage.GROWTH), ALL, 1))
                .containsExactly(new Session(1, Stage.GROWTH, Contender.PRODUCT));
    }

    @Test
    void aPeerBringsAllItsSettings() {
        assertThat(Contender.of(EnumSet.of(SystemKind.KAFKA)))
                .containsExactly(
                        Contender.PRODUCT, Contender.KAFKA, Contender.KAFKA_WITHOUT_LINGER);
        assertThat(Contender.of(EnumSet.noneOf(SystemKind.class)))
                .containsExactly(Contender.PRODUCT);
    }

    @Test
    void workloadsKnowTheirStages() {
        assertThat(Workload.stages(EnumSet.of(Workload.W2P, Workload.W1)))
                .containsExactly(Stage.LOG);
        assertThat(Workload.stages(EnumSet.allOf(Workload.class))).isEqualTo(STAGES);
    }
}

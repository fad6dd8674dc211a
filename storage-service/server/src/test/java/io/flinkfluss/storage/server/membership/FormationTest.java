package io.flinkfluss.storage.server.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.membership.Formation.Step;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FormationTest {
    private static final List<String> PEERS = List.of("n1", "n2", "n3");
    private static final Map<String, String> FOUNDERS =
            Map.of("n1", "disk-n1", "n2", "disk-n2", "n3", "disk-n3");

    @Test
    void aClusterIsFoundedWhenAllNodesAreNew() {
        Formation.Decision decision =
                Formation.decide(
                        fresh("n2", 8), Map.of("n1", fresh("n1", 4), "n3", fresh("n3", 2)));

        assertThat(decision.step()).isEqualTo(Step.FOUND);
        assertThat(decision.founders()).isEqualTo(FOUNDERS);
        assertThat(decision.shards()).as("those of the first node, on every node").isEqualTo(4);
    }

    @Test
    void untilAllNodesAnsweredNothingIsFounded() {
        Formation.Decision decision =
                Formation.decide(fresh("n2", 4), Map.of("n1", fresh("n1", 4)));

        assertThat(decision.step()).isEqualTo(Step.WAIT);
        assertThat(decision.why()).contains("not there: [n3]");
    }

    @Test
    void aLateFounderIsKnownByItsDirectory() {
        Formation.Decision decision =
                Formation.decide(fresh("n2", 8), Map.of("n1", founder("n1", false)));

        assertThat(decision.step()).isEqualTo(Step.FOUND);
        assertThat(decision.shards()).isEqualTo(4);
    }

    @Test
    void aMemberWithAnEmptyDirectoryIsRefused() {
        Introduction empty = introduction("n2", "new-disk", DirectoryState.NEW, Map.of(), false);

        assertThatThrownBy(() -> Formation.decide(empty, Map.of("n1", founder("n1", true))))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST))
                .hasMessageContaining(
                        "node n2 is a member of the cluster but its data directory is empty")
                .hasMessageContaining("bin/fluss nodes remove n2");
    }

    @Test
    void aMemberWithoutMajorityDoesNotDecideWhoMayJoin() {
        Introduction empty = introduction("n2", "new-disk", DirectoryState.NEW, Map.of(), false);

        Formation.Decision decision =
                Formation.decide(empty, Map.of("n1", founder("n1", false), "n3", fresh("n3", 4)));

        assertThat(decision.step()).isEqualTo(Step.WAIT);
        assertThat(decision.why()).contains("a majority");
    }

    @Test
    void aNodeThatTheClusterDoesNotKnowWaitsToBeAdded() {
        Introduction fourth = introduction("n4", "disk-n4", DirectoryState.NEW, Map.of(), false);

        Formation.Decision decision = Formation.decide(fourth, Map.of("n1", founder("n1", true)));

        assertThat(decision.step()).isEqualTo(Step.JOIN);
        assertThat(decision.shards()).isEqualTo(4);
    }

    @Test
    void aNodeAtTheAddressOfAnotherIsRefused() {
        assertThatThrownBy(() -> Formation.decide(fresh("n2", 4), Map.of("n1", fresh("n3", 4))))
                .hasMessageContaining("where node n3 answers");
    }

    @Test
    void otherPeersAreRefused() {
        Introduction other =
                new Introduction(
                        "n1",
                        "disk-n1",
                        DirectoryState.NEW,
                        4,
                        2,
                        List.of("n1", "n2"),
                        Map.of(),
                        List.of(),
                        false);

        assertThatThrownBy(
                        () ->
                                Formation.decide(
                                        fresh("n2", 4), Map.of("n1", other, "n3", fresh("n3", 4))))
                .hasMessageContaining("--peers [n1, n2]");
    }

    @Test
    void anIntroductionIsReadAsItWasWritten() {
        Introduction introduction = founder("n1", true);

        assertThat(Introduction.decode(ByteBuffer.wrap(introduction.encode())))
                .isEqualTo(introduction);
    }

    private static Introduction fresh(String node, int shards) {
        return new Introduction(
                node,
                "disk-" + node,
                DirectoryState.NEW,
                shards,
                2,
                PEERS,
                Map.of(),
                List.of(),
                false);
    }

    private static Introduction founder(String node, boolean isCurrent) {
        return introduction(node, "disk-" + node, DirectoryState.IN_USE, FOUNDERS, isCurrent);
    }

    private static Introduction introduction(
            String node,
            String directory,
            DirectoryState state,
            Map<String, String> founders,
            boolean isCurrent) {
        List<String> members = state == DirectoryState.NEW ? List.of() : PEERS;
        return new Introduction(node, directory, state, 4, 2, PEERS, founders, members, isCurrent);
    }
}

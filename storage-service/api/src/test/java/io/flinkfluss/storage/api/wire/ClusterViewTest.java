package io.flinkfluss.storage.api.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.storage.api.table.BucketId;
import io.flinkfluss.storage.api.table.TableId;
import io.flinkfluss.storage.api.wire.ClusterView.Leadership;
import io.flinkfluss.storage.api.wire.ClusterView.Node;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterViewTest {
    private static final List<Node> NODES =
            List.of(new Node("n1", "host", 1), new Node("n2", "other", 65535));
    private static final ClusterView VIEW =
            new ClusterView(
                    NODES,
                    70,
                    new Leadership("n1", 300),
                    List.of(new Leadership("n2", 5), Leadership.UNKNOWN));

    /** Version, two nodes, two leaders: as the first release wrote it. */
    private static final String OF_THE_FIRST_RELEASE =
            "01 02 026e31 04686f7374 01 026e32 056f74686572 ffff03 02 026e32 00";

    @Test
    void theViewOfTheFirstReleaseIsRead() {
        ClusterView view =
                ClusterView.read(
                        new WireInput(
                                ByteBuffer.wrap(
                                        HexFormat.of()
                                                .parseHex(OF_THE_FIRST_RELEASE.replace(" ", "")))));
        assertThat(view)
                .isEqualTo(
                        new ClusterView(
                                NODES,
                                -1,
                                Leadership.UNKNOWN,
                                List.of(new Leadership("n2", 0), Leadership.UNKNOWN)));
    }

    @Test
    void aClientOfTheFirstReleaseGetsAViewThatItReads() {
        AdminOperation<?> asked =
                AdminOperation.of(
                        new Action("fluss.describe-cluster", ByteBuffer.wrap(new byte[] {1})));
        byte[] answer = asked.executeAndEncode(null, () -> VIEW);
        assertThat(HexFormat.of().formatHex(answer))
                .isEqualTo("01" + OF_THE_FIRST_RELEASE.replace(" ", ""));
    }

    @Test
    void aClientThatReadsMoreThanThisReleaseGetsTheNewestView() {
        ClusterOperation.DescribeCluster later = new ClusterOperation.DescribeCluster(9);
        byte[] answer = AdminOperation.of(later.toAction()).executeAndEncode(null, () -> VIEW);
        assertThat(later.decodeAnswer(ByteBuffer.wrap(answer))).isEqualTo(VIEW);
    }

    @Test
    void theLaterElectionWinsWhoeverAnswersLast() {
        ClusterView deposed = viewOf("n1", 4);
        ClusterView current = viewOf("n2", 5);
        assertThat(current.mergedWith(deposed)).isEqualTo(current);
        assertThat(deposed.mergedWith(current)).isEqualTo(current);
    }

    @Test
    void notToKnowALeaderIsNoNews() {
        ClusterView current = viewOf("n2", 5);
        assertThat(current.mergedWith(viewOf("", 9))).isEqualTo(current);
        assertThat(viewOf("", 9).mergedWith(current)).isEqualTo(current);
    }

    @Test
    void whatProvedWrongGivesWayToAnyAnswer() {
        ClusterView wrong = viewOf("n1", 4);
        ClusterView open = wrong.withoutLeader(BucketId.of(new TableId(1), 0));
        assertThat(open.shards()).containsExactly(Leadership.UNKNOWN);
        assertThat(open.mergedWith(viewOf("n2", 1))).isEqualTo(viewOf("n2", 1));
    }

    @Test
    void theNodesOfTheLaterMembershipAreKept() {
        ClusterView one = new ClusterView(NODES.subList(0, 1), 3, Leadership.UNKNOWN, List.of());
        ClusterView two = new ClusterView(NODES, 8, Leadership.UNKNOWN, List.of());
        assertThat(one.mergedWith(two).nodes()).isEqualTo(NODES);
        assertThat(two.mergedWith(one).nodes()).isEqualTo(NODES);
    }

    private static ClusterView viewOf(String leader, long term) {
        return new ClusterView(NODES, 0, Leadership.UNKNOWN, List.of(new Leadership(leader, term)));
    }
}

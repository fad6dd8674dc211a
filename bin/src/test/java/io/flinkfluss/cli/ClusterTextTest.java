package io.flinkfluss.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.flinkfluss.cli.service.ClusterState;
import io.flinkfluss.cli.text.Json;
import io.flinkfluss.storage.api.wire.NodeStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterTextTest {
    private static final ClusterState ONE_DOWN =
            new ClusterState(
                    List.of(
                            node("n1", true, 1_000, List.of()),
                            node("n2", false, 990, List.of("group shard-10 has no leader")),
                            new ClusterState.Node(
                                    "n3", "h3:3", Optional.empty(), "cannot be reached", 2_000)));

    @Test
    void showsWhoLeadsWhoIsBehindAndWhoIsDown() {
        String text = new ClusterText(ONE_DOWN).render();

        assertThat(text)
                .containsPattern("n1 +\\| h:1 +\\| ready +\\| +5 ms")
                .containsPattern("n2 +\\| h:1 +\\| not ready")
                .containsPattern("n3 +\\| h3:3 +\\| down +\\| not in 2000 ms")
                .contains("n1 0, n2 10, n3 ?")
                .contains("50 % of 2.0 kB (full)")
                .contains("3 tables with 20,000 buckets; the lake lacks 17 rows, at most 5 s old")
                .contains("n2 is not ready: group shard-10 has no leader")
                .contains("n3 is down: cannot be reached");
        assertThat(text.indexOf("metadata")).isLessThan(text.indexOf("shard-2"));
        assertThat(text.indexOf("shard-2")).isLessThan(text.indexOf("shard-10"));
    }

    @Test
    void saysTheSameToPrograms() {
        String json = Json.write(new ClusterJson(ONE_DOWN).values());

        assertThat(json)
                .startsWith("{\"ready\":false,\"nodes\":[{\"id\":\"n1\"")
                .contains(
                        "\"state\":\"down\",\"answerMillis\":2000,\"error\":\"cannot be reached\"")
                .contains("\"name\":\"metadata\",\"leader\":\"n1\",\"term\":7,\"committed\":1000")
                .contains("{\"node\":\"n2\",\"leading\":false,\"applied\":990,\"behind\":10");
    }

    private static ClusterState.Node node(
            String id, boolean leads, long applied, List<String> obstacles) {
        NodeStatus.Usage half = new NodeStatus.Usage(1024, 2048);
        NodeStatus status =
                new NodeStatus(
                        id,
                        "test",
                        new NodeStatus.Times(0, 61_000),
                        obstacles,
                        new NodeStatus.Content(3, 20_000, 4096, 0, 17, 5_000),
                        new NodeStatus.Resources(half, half, half, half, half, true),
                        List.of(
                                group("shard-10", false, applied),
                                group("metadata", leads, applied),
                                group("shard-2", leads, applied)));
        return new ClusterState.Node(id, "h:1", Optional.of(status), "", 5);
    }

    private static NodeStatus.Group group(String name, boolean leads, long applied) {
        return new NodeStatus.Group(name, leads, leads ? "n1" : "", 7, applied, applied, 4096, 0);
    }
}

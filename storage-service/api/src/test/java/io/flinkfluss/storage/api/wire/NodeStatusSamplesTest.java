package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.testkit.FormatSample;
import io.flinkfluss.storage.api.testkit.FormatSamples;
import java.util.List;
import java.util.stream.Stream;

/** What a node says about itself, as bytes. */
final class NodeStatusSamplesTest extends FormatSamples {
    private static final NodeStatus STATUS =
            new NodeStatus(
                    "n2",
                    "0.1.0",
                    new NodeStatus.Times(1_000, 1L << 41),
                    List.of("group shard-1 has no leader"),
                    new NodeStatus.Content(3, 20_000, 1L << 33, 1L << 32, 17, 5_000),
                    new NodeStatus.Resources(
                            new NodeStatus.Usage(1, 2),
                            new NodeStatus.Usage(3, 4),
                            new NodeStatus.Usage(5, 6),
                            new NodeStatus.Usage(7, 8),
                            new NodeStatus.Usage(9, 10),
                            true),
                    List.of(
                            new NodeStatus.Group("metadata", true, "n2", 7, 100, 99, 4096, 12),
                            new NodeStatus.Group("shard-1", false, "", 8, -1, -1, 0, 0)));

    @Override
    protected Stream<FormatSample> samples() {
        return Stream.of(
                FormatSample.of(
                        NodeStatus.REQUEST,
                        "",
                        nothing -> bytes(NodeStatus.request()),
                        body -> {
                            NodeStatus.checkRequest(new Action(NodeStatus.ACTION, body));
                            return "";
                        }),
                FormatSample.of(NodeStatus.FORMAT, STATUS, NodeStatus::encode, NodeStatus::decode));
    }

    private static byte[] bytes(Action action) {
        byte[] bytes = new byte[action.body().remaining()];
        action.body().duplicate().get(bytes);
        return bytes;
    }
}

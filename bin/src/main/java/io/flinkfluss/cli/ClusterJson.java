package io.flinkfluss.cli;

import io.flinkfluss.cli.service.ClusterState;
import io.flinkfluss.storage.api.wire.NodeStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A cluster for programs; fields are only ever added. */
final class ClusterJson {
    private final ClusterState cluster;

    ClusterJson(ClusterState cluster) {
        this.cluster = cluster;
    }

    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("ready", cluster.isReady());
        values.put("nodes", cluster.nodes().stream().map(ClusterJson::node).toList());
        values.put("groups", cluster.groups().stream().map(this::group).toList());
        return values;
    }

    private static Map<String, Object> node(ClusterState.Node node) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("id", node.id());
        values.put("address", node.address());
        values.put("state", node.state());
        values.put("answerMillis", node.millis());
        if (!node.failure().isEmpty()) {
            values.put("error", node.failure());
        }
        node.status().ifPresent(status -> values.putAll(status(status)));
        return values;
    }

    private static Map<String, Object> status(NodeStatus status) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("release", status.release());
        values.put("startedAtMillis", status.times().startedAtMillis());
        values.put("obstacles", status.obstacles());
        values.put("tables", status.content().tables());
        values.put("buckets", status.content().buckets());
        values.put("logBytes", status.content().logBytes());
        values.put("kvBytes", status.content().kvBytes());
        values.put("lakePendingRows", status.content().pendingRows());
        values.put("lakeLagMillis", status.content().tierLagMillis());
        values.put("refusesWrites", status.resources().refusesWrites());
        values.put("disk", usage(status.resources().disk()));
        values.put("heap", usage(status.resources().heap()));
        values.put("direct", usage(status.resources().direct()));
        values.put("keyValueMemory", usage(status.resources().kv()));
        values.put("inFlight", usage(status.resources().inFlight()));
        return values;
    }

    private static Map<String, Object> usage(NodeStatus.Usage usage) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("used", usage.used());
        values.put("limit", usage.limit());
        return values;
    }

    private Map<String, Object> group(ClusterState.Group group) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", group.name());
        values.put("leader", group.leader());
        values.put("term", group.best().term());
        values.put("committed", group.best().committed());
        List<Map<String, Object>> replicas = new ArrayList<>();
        group.members()
                .forEach(
                        (node, member) -> {
                            Map<String, Object> replica = new LinkedHashMap<>();
                            replica.put("node", node);
                            replica.put("leading", member.leading());
                            replica.put("applied", member.applied());
                            replica.put("behind", group.lag(node).orElse(0L));
                            replica.put("logBytes", member.logBytes());
                            replica.put("bytesSinceCheckpoint", member.bytesSinceCheckpoint());
                            replicas.add(replica);
                        });
        values.put("replicas", replicas);
        return values;
    }
}

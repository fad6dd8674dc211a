package io.flinkfluss.cli;

import io.flinkfluss.cli.service.ClusterState;
import io.flinkfluss.cli.text.TextTable;
import io.flinkfluss.cli.text.Units;
import io.flinkfluss.storage.api.wire.NodeStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A cluster for people: a table of nodes, a table of groups, and what is wrong. */
final class ClusterText {
    private final ClusterState cluster;

    ClusterText(ClusterState cluster) {
        this.cluster = cluster;
    }

    String render() {
        return "Nodes\n"
                + nodes().render()
                + "Groups\n"
                + groups().render()
                + content()
                + problems().stream().map(line -> "  " + line + "\n").collect(Collectors.joining());
    }

    private TextTable nodes() {
        TextTable table =
                TextTable.of(
                        "node",
                        "address",
                        "state",
                        "answered",
                        "up",
                        "leads",
                        "disk",
                        "log",
                        "key-value",
                        "heap",
                        "direct");
        for (ClusterState.Node node : cluster.nodes()) {
            List<String> cells = new ArrayList<>();
            cells.add(node.id());
            cells.add(node.address());
            cells.add(node.state());
            cells.add((node.status().isPresent() ? "" : "not in ") + node.millis() + " ms");
            node.status().ifPresent(status -> cells.addAll(cells(status)));
            while (cells.size() < 11) {
                cells.add("");
            }
            table.add(cells);
        }
        return table;
    }

    private static List<String> cells(NodeStatus status) {
        NodeStatus.Resources resources = status.resources();
        long leads = status.groups().stream().filter(NodeStatus.Group::leading).count();
        return List.of(
                Units.time(
                        Duration.ofMillis(
                                status.times().nowMillis() - status.times().startedAtMillis())),
                leads + " of " + status.groups().size(),
                percent(resources.disk()) + (resources.refusesWrites() ? " (full)" : ""),
                Units.bytes(status.content().logBytes()),
                Units.bytes(status.content().kvBytes()),
                ofLimit(resources.heap()),
                ofLimit(resources.direct()));
    }

    private static String percent(NodeStatus.Usage usage) {
        return usage.limit() == 0
                ? "?"
                : Math.round(100.0 * usage.used() / usage.limit())
                        + " % of "
                        + Units.bytes(usage.limit());
    }

    private static String ofLimit(NodeStatus.Usage usage) {
        return Units.bytes(usage.used()) + " of " + Units.bytes(usage.limit());
    }

    private TextTable groups() {
        TextTable table =
                TextTable.of("group", "leader", "term", "committed", "behind", "replicated log");
        for (ClusterState.Group group : cluster.groups()) {
            table.add(
                    group.name(),
                    group.leader().isEmpty() ? "none" : group.leader(),
                    group.best().term(),
                    group.best().committed(),
                    behind(group),
                    Units.bytes(group.best().logBytes()));
        }
        return table;
    }

    /** Entries to apply per node; only {@code 0} when no node has any. */
    private String behind(ClusterState.Group group) {
        boolean current =
                cluster.nodes().stream()
                        .allMatch(node -> group.lag(node.id()).filter(lag -> lag == 0).isPresent());
        return current
                ? "0"
                : cluster.nodes().stream()
                        .map(
                                node ->
                                        node.id()
                                                + " "
                                                + group.lag(node.id())
                                                        .map(Units::count)
                                                        .orElse("?"))
                        .collect(Collectors.joining(", "));
    }

    private String content() {
        return cluster.nodes().stream()
                .flatMap(node -> node.status().stream())
                .map(NodeStatus::content)
                .max((a, b) -> Long.compare(a.buckets(), b.buckets()))
                .map(
                        content ->
                                Units.count(content.tables())
                                        + " tables with "
                                        + Units.count(content.buckets())
                                        + " buckets"
                                        + (content.tierLagMillis() < 0
                                                ? ""
                                                : "; the lake lacks "
                                                        + Units.count(content.pendingRows())
                                                        + " rows, at most "
                                                        + Units.time(
                                                                Duration.ofMillis(
                                                                        content.tierLagMillis()))
                                                        + " old")
                                        + "\n")
                .orElse("");
    }

    private List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (ClusterState.Node node : cluster.nodes()) {
            if (!node.failure().isEmpty()) {
                problems.add(node.id() + " is down: " + node.failure());
            }
            node.status()
                    .ifPresent(
                            status ->
                                    status.obstacles()
                                            .forEach(
                                                    reason ->
                                                            problems.add(
                                                                    node.id()
                                                                            + " is not ready: "
                                                                            + reason)));
        }
        return problems;
    }
}

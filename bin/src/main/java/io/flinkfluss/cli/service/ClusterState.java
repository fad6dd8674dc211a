package io.flinkfluss.cli.service;

import io.flinkfluss.cli.runtime.CliException;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.ClusterView;
import io.flinkfluss.storage.api.wire.NodeStatus;
import io.flinkfluss.storage.client.admin.ClusterInspector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What every node of a cluster said about itself at about the same time.
 *
 * @param nodes in the order of the peers
 */
public record ClusterState(List<Node> nodes) {
    /** Metadata, then shards by number. */
    private static final Comparator<String> GROUP_ORDER =
            Comparator.comparing((String name) -> name.startsWith("shard-"))
                    .thenComparing(String::length)
                    .thenComparing(Comparator.naturalOrder());

    public ClusterState {
        nodes = List.copyOf(nodes);
    }

    /**
     * One node.
     *
     * @param status empty when it did not answer
     * @param failure why it did not, empty otherwise
     * @param millis how long it took to answer, or was waited for
     */
    public record Node(
            String id, String address, Optional<NodeStatus> status, String failure, long millis) {
        public boolean isReady() {
            return status.isPresent() && status.get().obstacles().isEmpty();
        }

        /** {@code ready}, {@code not ready} or {@code down}. */
        public String state() {
            return status.isEmpty() ? "down" : isReady() ? "ready" : "not ready";
        }
    }

    /**
     * Asks all nodes at once.
     *
     * @param bootstrap addresses of one or more of them
     * @throws StorageException INVALID_REQUEST for what is not an address
     */
    public static ClusterState ask(List<String> bootstrap, Duration timeout) {
        try (ClusterInspector inspector = new ClusterInspector(timeout)) {
            Map<String, String> nodes = nodes(inspector, bootstrap);
            ExecutorService threads = Executors.newFixedThreadPool(nodes.size());
            try {
                List<Future<Node>> asked = new ArrayList<>();
                nodes.forEach(
                        (address, id) ->
                                asked.add(threads.submit(() -> ask(inspector, id, address))));
                return new ClusterState(asked.stream().map(ClusterState::get).toList());
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /** Ids by address; while no node knows the others, those that were named. */
    private static Map<String, String> nodes(ClusterInspector inspector, List<String> bootstrap) {
        Map<String, String> nodes = new LinkedHashMap<>();
        try {
            List<ClusterView.Node> known = inspector.view(bootstrap).nodes();
            for (ClusterView.Node node : known) {
                // A single node is best reached at the address that worked.
                nodes.put(known.size() == 1 ? bootstrap.get(0) : node.toString(), node.id());
            }
        } catch (StorageException starting) {
            if (starting.code() == ErrorCode.INVALID_REQUEST) {
                throw starting;
            }
            bootstrap.forEach(address -> nodes.put(address, address));
        }
        return nodes;
    }

    private static Node ask(ClusterInspector inspector, String id, String address) {
        long begun = System.nanoTime();
        try {
            NodeStatus status = inspector.status(address);
            return new Node(status.nodeId(), address, Optional.of(status), "", millisSince(begun));
        } catch (StorageException failure) {
            return new Node(
                    id, address, Optional.empty(), failure.getMessage(), millisSince(begun));
        }
    }

    private static Node get(Future<Node> node) {
        try {
            return node.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static long millisSince(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun).toMillis();
    }

    /** Whether any node does. */
    public boolean answers() {
        return nodes.stream().anyMatch(node -> node.status().isPresent());
    }

    public boolean isReady() {
        return nodes.stream().allMatch(Node::isReady);
    }

    /** A group as its members see it. */
    public record Group(String name, Map<String, NodeStatus.Group> members) {
        /** What its leader says, or the member that knows the latest term. */
        public NodeStatus.Group best() {
            return members.values().stream()
                    .max(
                            (a, b) ->
                                    a.leading() != b.leading()
                                            ? Boolean.compare(a.leading(), b.leading())
                                            : Long.compare(a.term(), b.term()))
                    .orElseThrow();
        }

        /** Id of the node that says it leads, or that others take for the leader; else empty. */
        public String leader() {
            return best().leader();
        }

        /** Entries that this member has still to apply, compared with the best; empty if down. */
        public Optional<Long> lag(String node) {
            return Optional.ofNullable(members.get(node))
                    .map(member -> Math.max(0, best().committed() - member.applied()));
        }
    }

    /** In the order of their names. */
    public List<Group> groups() {
        Map<String, Map<String, NodeStatus.Group>> members = new TreeMap<>(GROUP_ORDER);
        for (Node node : nodes) {
            node.status()
                    .ifPresent(
                            status ->
                                    status.groups()
                                            .forEach(
                                                    group ->
                                                            members.computeIfAbsent(
                                                                            group.name(),
                                                                            name -> new TreeMap<>())
                                                                    .put(node.id(), group)));
        }
        return members.entrySet().stream()
                .map(entry -> new Group(entry.getKey(), entry.getValue()))
                .toList();
    }
}

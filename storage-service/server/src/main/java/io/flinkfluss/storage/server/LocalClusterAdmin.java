package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.cluster.ClusterNode;
import io.flinkfluss.storage.api.cluster.NodeAddress;
import io.flinkfluss.storage.api.cluster.NodeChange;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.replication.LoadPlan;
import io.flinkfluss.storage.server.replication.Peer;
import io.flinkfluss.storage.server.replication.ReplicationNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Changes the nodes of the cluster, one group after another; the metadata group is the last, so
 * that clients know of a node only while it has all replicas. Nothing about a change is stored: the
 * members of the groups say how far it is, and whoever leads the metadata group continues it.
 */
final class LocalClusterAdmin implements ClusterAdmin {
    private static final Duration GROUP_DEADLINE = Duration.ofMinutes(30);
    private static final Duration LEADER_DEADLINE = Duration.ofSeconds(5);
    private static final int HANDOVER_LOOKS = 100;
    private static final long LOOK_MILLIS = 200;

    private final String self;
    private final Metadata metadata;
    private final ReplicationNode replication;
    private final NodeChanges changes;
    private final NodeChecks checks;
    private final List<String> groups;

    /** Waited on between two looks. */
    private final Object pause = new Object();

    /**
     * @param metadataGroup name of the group that comes last
     */
    LocalClusterAdmin(
            String self,
            Metadata metadata,
            ReplicationNode replication,
            String metadataGroup,
            Executor executor) {
        this.self = self;
        this.metadata = metadata;
        this.replication = replication;
        changes = new NodeChanges(executor);
        checks = new NodeChecks(self, replication);
        groups = new ArrayList<>(replication.groupNames());
        groups.remove(metadataGroup);
        groups.add(metadataGroup);
    }

    static NodeAddress address(Peer peer) {
        return new NodeAddress(peer.id(), peer.host(), peer.port(), peer.raftPort());
    }

    @Override
    public List<ClusterNode> nodes() {
        Set<String> draining = metadata.current().draining();
        Map<String, Long> loads = replication.loads();
        List<ClusterNode> nodes = new ArrayList<>();
        for (Peer peer : members().values()) {
            List<String> led = led(peer.id());
            nodes.add(
                    new ClusterNode(
                            address(peer),
                            draining.contains(peer.id()),
                            (int) groups.stream().filter(group -> has(group, peer.id())).count(),
                            led.size(),
                            led.stream().mapToLong(loads::get).sum()));
        }
        return nodes;
    }

    @Override
    public NodeChange add(NodeAddress node) {
        metadata.requireLeader();
        String what = "adding node " + node;
        Optional<NodeChange> known = changes.progress(what).filter(change -> !change.isDone());
        if (known.isPresent()) {
            return known.get();
        }
        Map<String, Peer> members = members();
        Peer peer = new Peer(node.id(), node.host(), node.port(), node.raftPort());
        if (peer.equals(members.get(node.id()))
                && groups.stream().allMatch(group -> has(group, node.id()))) {
            return NodeChange.done(groups.size(), "it is a node of the cluster: " + describe());
        }
        checks.requireMayBeAdded(peer, members, metadata.state().level().level());
        return changes.begin(what, groups.size(), progress -> add(peer, progress));
    }

    private String add(Peer peer, NodeChanges.Progress progress) {
        for (int i = 0; i < groups.size(); i++) {
            progress.at(i, "node " + peer.id() + " catches up with group " + groups.get(i));
            replication.addMember(groups.get(i), peer, GROUP_DEADLINE);
        }
        return describe();
    }

    @Override
    public NodeChange remove(String node) {
        metadata.requireLeader();
        String what = "removing node " + node;
        Map<String, Peer> members = members();
        Optional<NodeChange> known = changes.progress(what);
        if (known.isPresent() && (!known.get().isDone() || !members.containsKey(node))) {
            return known.get();
        }
        requireMember(node, members);
        checks.requireMayBeRemoved(node, members);
        if (node.equals(self)) {
            // Whoever leads then goes on.
            drain(node);
            return NodeChange.running(
                    0, groups.size(), "node " + node + " hands over what it leads");
        }
        return changes.begin(what, groups.size(), progress -> remove(node, progress));
    }

    private String remove(String node, NodeChanges.Progress progress) {
        if (!metadata.state().draining().contains(node)) {
            metadata.setDraining(node, true);
        }
        progress.at(0, "node " + node + " hands over what it leads");
        awaitLeadsNothing(node);
        for (int i = 0; i < groups.size(); i++) {
            progress.at(i, "node " + node + " leaves group " + groups.get(i));
            replication.removeMember(groups.get(i), node, GROUP_DEADLINE);
        }
        metadata.setDraining(node, false);
        return describe();
    }

    /** A node that is lost leads nothing soon; one that cannot hand over is removed anyway. */
    private void awaitLeadsNothing(String node) {
        for (int looks = 0; looks < HANDOVER_LOOKS && !led(node).isEmpty(); looks++) {
            synchronized (pause) {
                try {
                    TimeUnit.MILLISECONDS.timedWait(pause, LOOK_MILLIS);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new StorageException(
                            ErrorCode.TIMEOUT, "the server stops; ask again", interrupted);
                }
            }
        }
    }

    @Override
    public NodeChange drain(String node) {
        metadata.requireLeader();
        Map<String, Peer> members = members();
        requireMember(node, members);
        Set<String> leading = new TreeSet<>(members.keySet());
        leading.removeAll(metadata.state().draining());
        leading.remove(node);
        if (leading.isEmpty()) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "node "
                            + node
                            + " cannot drain: no other node may lead; the nodes are "
                            + members.keySet()
                            + ", draining are "
                            + metadata.state().draining()
                            + ". End the drain of another first");
        }
        if (!metadata.state().draining().contains(node)) {
            metadata.setDraining(node, true);
        }
        int unsettled = led(node).size() + (int) groups.stream().filter(this::isLeaderless).count();
        int total = groups.size();
        return unsettled == 0
                ? NodeChange.done(total, "node " + node + " leads nothing; it may be stopped")
                : NodeChange.running(
                        total - unsettled,
                        total,
                        "node " + node + " leads " + led(node).size() + " groups");
    }

    @Override
    public NodeChange endDrain(String node) {
        metadata.requireLeader();
        requireMember(node, members());
        if (metadata.state().draining().contains(node)) {
            metadata.setDraining(node, false);
        }
        return NodeChange.done(1, "node " + node + " may lead");
    }

    @Override
    public NodeChange rebalance() {
        metadata.requireLeader();
        String what = "rebalancing leaders";
        Optional<NodeChange> known = changes.progress(what).filter(change -> !change.isDone());
        if (known.isPresent()) {
            return known.get();
        }
        Map<String, String> leaders = new TreeMap<>();
        groups.forEach(
                group ->
                        replication
                                .group(group)
                                .leader()
                                .ifPresent(leader -> leaders.put(group, leader)));
        Set<String> nodes = new TreeSet<>(checks.well(members()));
        nodes.removeAll(metadata.state().draining());
        List<LoadPlan.Move> plan = LoadPlan.of(replication.loads(), leaders, nodes);
        if (plan.isEmpty()) {
            return NodeChange.done(0, "leaders lie evenly: " + loads());
        }
        return changes.begin(what, plan.size(), progress -> rebalance(plan, progress));
    }

    private String rebalance(List<LoadPlan.Move> plan, NodeChanges.Progress progress) {
        for (int i = 0; i < plan.size(); i++) {
            LoadPlan.Move move = plan.get(i);
            progress.at(i, "group " + move.group() + " goes to node " + move.target());
            replication.moveLeader(move.group(), move.target(), LEADER_DEADLINE);
        }
        return plan.size() + " leaders moved: " + loads();
    }

    private String loads() {
        Map<String, String> perNode = new TreeMap<>();
        for (ClusterNode node : nodes()) {
            perNode.put(
                    node.address().id(),
                    node.leads() + " groups, " + node.writtenBytesPerSecond() + " B/s");
        }
        return perNode.toString();
    }

    private String describe() {
        int count = members().size();
        return "the nodes are "
                + members().keySet()
                + (count % 2 == 0
                        ? "; "
                                + count
                                + " nodes survive the loss of "
                                + (count - 1) / 2
                                + ", like "
                                + (count - 1)
                                + " do: better have an odd number"
                        : "");
    }

    private static void requireMember(String node, Map<String, Peer> members) {
        if (!members.containsKey(node)) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "there is no node " + node + "; the nodes are " + members.keySet());
        }
    }

    /** Every node that has a replica of any group, by id. */
    private Map<String, Peer> members() {
        Map<String, Peer> members = new TreeMap<>();
        groups.forEach(
                group -> replication.members(group).forEach(peer -> members.put(peer.id(), peer)));
        return members;
    }

    private boolean has(String group, String node) {
        return replication.members(group).stream().anyMatch(peer -> peer.id().equals(node));
    }

    private List<String> led(String node) {
        return groups.stream()
                .filter(group -> replication.group(group).leader().equals(Optional.of(node)))
                .toList();
    }

    private boolean isLeaderless(String group) {
        return replication.group(group).leader().isEmpty();
    }
}

package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.NodeStatus;
import io.flinkfluss.storage.server.level.FormatLevel;
import io.flinkfluss.storage.server.membership.DirectoryState;
import io.flinkfluss.storage.server.membership.Introduction;
import io.flinkfluss.storage.server.replication.Peer;
import io.flinkfluss.storage.server.replication.ReplicationNode;
import io.flinkfluss.storage.server.transport.PeerChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Whether a change of the nodes is safe now; asks the nodes. Any thread. */
final class NodeChecks {
    private static final Duration QUESTION = Duration.ofSeconds(2);

    /** A node that lacks more entries of a group has not caught up. */
    private static final long MOST_BEHIND = 10_000;

    private final String self;
    private final ReplicationNode replication;

    NodeChecks(String self, ReplicationNode replication) {
        this.self = self;
        this.replication = replication;
    }

    /**
     * @param members by id
     * @throws StorageException INVALID_REQUEST
     */
    void requireMayBeAdded(Peer node, Map<String, Peer> members, FormatLevel level) {
        if (node.port() == 0 || node.raftPort() == 0) {
            throw invalid("node " + node.id() + " needs two fixed ports, for clients and nodes");
        }
        for (Peer member : members.values()) {
            requireOtherAddress(node, member);
            if (member.raftPort() == 0) {
                throw invalid(
                        "node "
                                + member.id()
                                + " was started without --peers, so other nodes cannot reach it;"
                                + " only a cluster that was founded with --peers can grow");
            }
        }
        Introduction introduction = introduction(node);
        if (!introduction.node().equals(node.id())) {
            throw invalid(
                    "at "
                            + node.host()
                            + ":"
                            + node.port()
                            + " answers node "
                            + introduction.node()
                            + ", not "
                            + node.id());
        }
        requireNew(node, introduction, members.containsKey(node.id()));
        int shards = replication.groupNames().size() - 1;
        if (introduction.shards() != shards) {
            throw invalid(
                    "node "
                            + node.id()
                            + " has "
                            + introduction.shards()
                            + " shards, the cluster has "
                            + shards
                            + "; delete its data directory and start it without --shards");
        }
        if (introduction.newestLevel() < level.number()) {
            throw invalid(
                    "node "
                            + node.id()
                            + " reads format levels up to "
                            + introduction.newestLevel()
                            + ", the cluster has level "
                            + level.number()
                            + "; install release "
                            + level.release()
                            + " or a newer one on it");
        }
    }

    /** Its silence is not that of this service, which clients would ask again and again. */
    private static Introduction introduction(Peer node) {
        try {
            return PeerChannel.introduction(node.host() + ":" + node.port(), QUESTION);
        } catch (StorageException silent) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "node "
                            + node.id()
                            + " does not answer at "
                            + node.host()
                            + ":"
                            + node.port()
                            + "; start it first, with an empty data directory and --peers that name"
                            + " it and nodes of this cluster ("
                            + silent.getMessage()
                            + ")",
                    silent);
        }
    }

    private static void requireOtherAddress(Peer node, Peer member) {
        boolean same = member.id().equals(node.id());
        if (same && !member.equals(node)) {
            throw invalid(
                    "there is a node "
                            + LocalClusterAdmin.address(member)
                            + " already; remove it first, or give the new node another id");
        }
        boolean sameHost = member.host().equals(node.host());
        if (!same
                && sameHost
                && (member.port() == node.port() || member.raftPort() == node.raftPort())) {
            throw invalid(
                    "node "
                            + LocalClusterAdmin.address(member)
                            + " has an address of "
                            + LocalClusterAdmin.address(node)
                            + " already");
        }
    }

    private static void requireNew(Peer node, Introduction introduction, boolean isMemberOfSome) {
        if (introduction.state() == DirectoryState.JOINING || isMemberOfSome) {
            return;
        }
        if (introduction.state() == DirectoryState.NEW) {
            throw invalid(
                    "node "
                            + node.id()
                            + " has not found this cluster yet; its --peers must name nodes of it"
                            + " that run");
        }
        throw invalid(
                "node "
                        + node.id()
                        + " belongs to a cluster already, or was removed from this one; delete its"
                        + " data directory and start it again with --peers that name nodes of this"
                        + " cluster");
    }

    /**
     * @param members by id
     * @throws StorageException INVALID_REQUEST for the only node, or when too few others are well
     */
    void requireMayBeRemoved(String node, Map<String, Peer> members) {
        Map<String, Peer> others = new java.util.TreeMap<>(members);
        others.remove(node);
        if (others.isEmpty()) {
            throw invalid("node " + node + " is the only one and cannot be removed");
        }
        List<String> well = well(others);
        int majority = others.size() / 2 + 1;
        if (well.size() < majority) {
            throw invalid(
                    "without node "
                            + node
                            + " the cluster has the nodes "
                            + others.keySet()
                            + ", of which "
                            + majority
                            + " must be caught up, but only "
                            + well
                            + " are; nothing was changed. Bring the others back first");
        }
    }

    /** Ids of the nodes that answer, are ready and have caught up. */
    List<String> well(Map<String, Peer> nodes) {
        List<String> well = new ArrayList<>();
        for (Peer node : nodes.values()) {
            if (node.id().equals(self) || isWell(node)) {
                well.add(node.id());
            }
        }
        return well;
    }

    private boolean isWell(Peer node) {
        try {
            NodeStatus status = PeerChannel.status(node.host() + ":" + node.port(), QUESTION);
            return status.nodeId().equals(node.id())
                    && status.obstacles().isEmpty()
                    && status.groups().stream().allMatch(this::hasCaughtUp);
        } catch (StorageException silent) {
            return false;
        }
    }

    private boolean hasCaughtUp(NodeStatus.Group group) {
        return replication.figures(group.name()).committedIndex() - group.applied() <= MOST_BEHIND;
    }

    private static StorageException invalid(String message) {
        return new StorageException(ErrorCode.INVALID_REQUEST, message);
    }
}

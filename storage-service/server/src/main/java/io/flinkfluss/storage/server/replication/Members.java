package io.flinkfluss.storage.server.replication;

import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of a group as its replicated configuration has them, which is the cluster's only
 * registry of nodes. Ratis has no use for the address of its data streams, so it holds the one that
 * clients reach the node at; Ratis' own clients would take the field of that name for theirs.
 */
final class Members {
    private static final Logger LOG = LoggerFactory.getLogger(Members.class);

    private Members() {}

    static RaftPeer toRaft(Peer peer) {
        return RaftPeer.newBuilder()
                .setId(peer.id())
                .setAddress(peer.host() + ":" + peer.raftPort())
                .setDataStreamAddress(peer.host() + ":" + peer.port())
                .build();
    }

    static String clientAddress(RaftPeer peer) {
        // The first release did not note it.
        String noted = peer.getDataStreamAddress();
        return noted == null || noted.isEmpty() ? peer.getAddress() : noted;
    }

    static boolean has(RaftServer.Division division, String node) {
        return division.getRaftConf().getPeer(RaftPeerId.valueOf(node)) != null;
    }

    /** Ordered by id. */
    static List<Peer> of(RaftServer.Division division) {
        List<Peer> members = new ArrayList<>();
        for (RaftPeer peer : division.getRaftConf().getCurrentPeers()) {
            String client = clientAddress(peer);
            members.add(
                    new Peer(
                            peer.getId().toString(),
                            client.substring(0, client.lastIndexOf(':')),
                            port(client),
                            port(peer.getAddress())));
        }
        members.sort(java.util.Comparator.comparing(Peer::id));
        return members;
    }

    /**
     * Refuses to open a node's own data as a part of a cluster, or the other way round: it would
     * lead a cluster of its own beside the others.
     *
     * @throws StorageException INVALID_REQUEST
     */
    static void check(RaftServer.Division division, ReplicationSettings settings) {
        List<Peer> known = of(division);
        List<String> ids = known.stream().map(Peer::id).toList();
        List<String> given = settings.peers().stream().map(Peer::id).sorted().toList();
        boolean unreachable = known.size() == 1 && known.get(0).raftPort() == 0;
        if (unreachable != settings.isAlone() && !known.isEmpty()) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "the data in "
                            + settings.folder()
                            + " is of the nodes "
                            + ids
                            + ", but --peers names "
                            + given
                            + (unreachable
                                    ? "; start it without --peers"
                                    : "; start it with --peers of its nodes")
                            + ", or give the node a new --data-dir");
        }
        boolean moved =
                settings.peers().stream()
                        .anyMatch(peer -> ids.contains(peer.id()) && !known.contains(peer));
        if (!settings.isAlone() && !known.isEmpty() && (moved || !ids.equals(given))) {
            LOG.warn(
                    "--peers names {}, the cluster's own list of nodes is {} and counts",
                    settings.peers(),
                    known);
        }
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
}

package io.flinkfluss.storage.server.replication;

import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;

/**
 * The nodes of a group as its replicated configuration has them, which is the cluster's only
 * registry of nodes. Ratis has no use for the address of its data streams, so it holds the one that
 * clients reach the node at; Ratis' own clients would take the field of that name for theirs.
 */
final class Members {
    private Members() {}

    static RaftPeer toRaft(Peer peer) {
        return RaftPeer.newBuilder()
                .setId(peer.id())
                .setAddress(peer.host() + ":" + peer.raftPort())
                .setDataStreamAddress(peer.host() + ":" + peer.port())
                .build();
    }

    static String clientAddress(RaftPeer peer) {
        return peer.getDataStreamAddress() == null
                ? peer.getAddress()
                : peer.getDataStreamAddress();
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

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }
}

package io.flinkfluss.storage.server;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.server.membership.DirectoryState;
import io.flinkfluss.storage.server.membership.Introduction;
import io.flinkfluss.storage.server.replication.Peer;
import io.flinkfluss.storage.server.replication.ReplicationNode;
import io.flinkfluss.storage.server.transport.PeerChannel;
import java.time.Duration;

/**
 * Finds out whether this node was removed while it was away: nobody in the cluster calls a node
 * that is no member, so it would wait for a leader in vain.
 */
final class RemovalCheck {
    private static final Duration QUESTION = Duration.ofSeconds(2);

    private final ServerConfig config;
    private final DataDirectory directory;

    RemovalCheck(ServerConfig config, DataDirectory directory) {
        this.config = config;
        this.directory = directory;
    }

    /**
     * Asks the other nodes; those that are silent or not sure of their members do not count.
     *
     * @throws StorageException INVALID_REQUEST when a majority of members confirmed that this node
     *     is none of them
     */
    void run() {
        if (directory.state() == DirectoryState.JOINING) {
            return;
        }
        String self = config.self().id();
        for (Peer peer : config.peers()) {
            if (!peer.id().equals(self)) {
                check(self, peer);
            }
        }
    }

    private static void check(String self, Peer peer) {
        Introduction answer;
        try {
            answer = PeerChannel.introduction(peer.host() + ":" + peer.port(), QUESTION);
        } catch (StorageException silent) {
            return;
        }
        if (answer.isCurrent() && !answer.members().contains(self)) {
            throw ReplicationNode.removed(
                    "node " + peer.id() + " says that its nodes are " + answer.members());
        }
    }
}

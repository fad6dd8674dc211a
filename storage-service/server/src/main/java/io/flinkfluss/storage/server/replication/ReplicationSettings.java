package io.flinkfluss.storage.server.replication;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How this node takes part in replication.
 *
 * @param folder where the groups' logs are kept
 * @param beginning what to do about groups that are not in the folder
 * @param self this node, one of the peers
 * @param peers the nodes that a new group is founded with
 * @param listenHost where the other nodes' connections are taken; they come by way of {@code
 *     self}'s host, which may be another name or a gateway
 * @param durability when an entry counts as written
 * @param electionTimeout a group elects another leader when it has not heard of its leader for once
 *     to one and a half times this time
 * @param largestEntry upper bound of one entry in bytes
 */
public record ReplicationSettings(
        Path folder,
        Beginning beginning,
        Peer self,
        List<Peer> peers,
        String listenHost,
        Durability durability,
        Duration electionTimeout,
        int largestEntry) {
    public ReplicationSettings {
        peers = List.copyOf(peers);
        if (!peers.contains(self)) {
            throw new IllegalArgumentException(
                    "node " + self.id() + " is not among the peers " + peers);
        }
    }

    /**
     * The longest that a follower waits for its leader; a leader that no majority answers for so
     * long steps down.
     */
    Duration longestSilence() {
        return electionTimeout.plus(electionTimeout.dividedBy(2));
    }

    /** Whether this node is the only one and no other can ever reach it. */
    public boolean isAlone() {
        return peers.size() == 1 && self.raftPort() == 0;
    }

    /** What to do about a group that is not in the folder. */
    public enum Beginning {
        /** Founds it together with all peers. */
        FOUND,
        /** Waits for a leader that adds this node, and does not vote before. */
        JOIN,
        /** Refuses to open: what this node promised to keep is lost. */
        CONTINUE
    }

    /** When an entry counts as written. */
    public enum Durability {
        /** After the disk has it: survives power loss. */
        DISK,
        /** After the operating system has it: survives kill -9 but not power loss. */
        OPERATING_SYSTEM
    }
}

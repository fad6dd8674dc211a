package io.flinkfluss.verify.fault;

import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.cluster.NodeAddress;
import io.flinkfluss.storage.api.cluster.NodeChange;
import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.client.ClientConfig;
import io.flinkfluss.storage.client.FlussClient;
import io.flinkfluss.verify.cluster.Cluster;
import io.flinkfluss.verify.cluster.Node;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Replaces the data of a node as an operator does: the node is removed from the cluster, starts
 * with an empty directory and is added again. A member that came back empty would vote without what
 * it has acknowledged; the server refuses to start like that.
 */
final class Replacement {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Cluster cluster;
    private final Keeper keeper;

    Replacement(Cluster cluster, Keeper keeper) {
        this.cluster = cluster;
        this.keeper = keeper;
    }

    /** The node must not run; it runs afterwards. */
    void run(Node node) throws InterruptedException {
        try (FlussClient client =
                FlussClient.connect(ClientConfig.of(cluster.bootstrapServers()))) {
            ClusterAdmin admin = client.clusterAdmin();
            if (admin.nodes().stream().anyMatch(each -> each.address().id().equals(node.id()))) {
                until("removing " + node, () -> admin.remove(node.id()));
            }
            node.disk().replace();
            node.start();
            NodeAddress address = NodeAddress.parse(node.address().asPeer());
            until("adding " + node, () -> admin.add(address));
        }
    }

    private void until(String what, Supplier<NodeChange> call) throws InterruptedException {
        StorageException[] last = new StorageException[1];
        boolean done =
                keeper.await(
                        () -> {
                            try {
                                return call.get().isDone();
                            } catch (StorageException later) {
                                // The node starts, or others are not well yet.
                                last[0] = later;
                                return false;
                            }
                        },
                        PATIENCE);
        if (!done) {
            throw new IllegalStateException(
                    what + " was not done within " + PATIENCE.toSeconds() + " s", last[0]);
        }
    }
}

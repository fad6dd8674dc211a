package io.flinkfluss.storage.client.admin;

import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.cluster.ClusterNode;
import io.flinkfluss.storage.api.cluster.NodeAddress;
import io.flinkfluss.storage.api.cluster.NodeChange;
import io.flinkfluss.storage.api.wire.NodeOperation;
import io.flinkfluss.storage.client.routing.Cluster;
import java.util.List;

/** {@link ClusterAdmin} over the wire. */
public final class RemoteClusterAdmin implements ClusterAdmin {
    private final Cluster cluster;

    public RemoteClusterAdmin(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public List<ClusterNode> nodes() {
        return cluster.call(new NodeOperation.ListNodes());
    }

    @Override
    public NodeChange add(NodeAddress node) {
        return cluster.call(new NodeOperation.AddNode(node));
    }

    @Override
    public NodeChange remove(String node) {
        return cluster.call(new NodeOperation.RemoveNode(node));
    }

    @Override
    public NodeChange drain(String node) {
        return cluster.call(new NodeOperation.DrainNode(node));
    }

    @Override
    public NodeChange endDrain(String node) {
        return cluster.call(new NodeOperation.EndDrain(node));
    }

    @Override
    public NodeChange rebalance() {
        return cluster.call(new NodeOperation.Rebalance());
    }
}

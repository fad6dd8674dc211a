package io.flinkfluss.storage.api;

import io.flinkfluss.storage.api.cluster.ClusterNode;
import io.flinkfluss.storage.api.cluster.NodeAddress;
import io.flinkfluss.storage.api.cluster.NodeChange;
import java.util.List;

/**
 * Changes the nodes of a running cluster. A change begins with the first call and goes on between
 * calls; repeat the call until it answers that it is done. Repeating is always safe. One change is
 * made at a time: another one is refused with BUSY.
 */
public interface ClusterAdmin {
    /** The nodes of the cluster, ordered by id. */
    List<ClusterNode> nodes();

    /**
     * Gives a running new node a replica of every group: first without a vote, until it has caught
     * up. Done at once when it has them.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException INVALID_REQUEST when the id or an
     *     address belongs to another node, or the node is not a new one, or does not run
     */
    NodeChange add(NodeAddress node);

    /**
     * Takes all replicas from a node that runs or is lost. It hands over first what it leads.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException INVALID_REQUEST when there is no
     *     such node, it is the only one, or too few of the others are well
     */
    NodeChange remove(String node);

    /**
     * Lets a node hand over all that it leads, and lead nothing until {@link #endDrain} or its next
     * start. Done when it leads nothing.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException INVALID_REQUEST when there is no
     *     such node, or no other could lead
     */
    NodeChange drain(String node);

    /**
     * Lets a node lead again.
     *
     * @throws io.flinkfluss.storage.api.error.StorageException INVALID_REQUEST when there is no
     *     such node
     */
    NodeChange endDrain(String node);

    /** Moves leaders so that all nodes have about the same load of writes. */
    NodeChange rebalance();
}

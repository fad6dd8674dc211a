package io.flinkfluss.flink.catalog;

import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.KvReader;
import io.flinkfluss.storage.api.KvWriter;
import io.flinkfluss.storage.api.LakeProgress;
import io.flinkfluss.storage.api.LogAppender;
import io.flinkfluss.storage.api.LogReader;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.TableAdmin;
import io.flinkfluss.storage.api.cluster.ClusterNode;
import io.flinkfluss.storage.api.cluster.NodeAddress;
import io.flinkfluss.storage.api.cluster.NodeChange;
import io.flinkfluss.storage.api.error.ErrorCode;
import io.flinkfluss.storage.api.error.StorageException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A service with nodes, each of whose changes takes two calls. */
record NodesForTest(
        StorageService owner, Map<String, ClusterNode> known, Map<String, Integer> asked)
        implements StorageService, ClusterAdmin {
    static NodesForTest with(StorageService owner, String... nodes) {
        NodesForTest service = new NodesForTest(owner, new TreeMap<>(), new TreeMap<>());
        for (String node : nodes) {
            service.put(NodeAddress.parse(node), false);
        }
        return service;
    }

    private void put(NodeAddress address, boolean drains) {
        known.put(address.id(), new ClusterNode(address, drains, 3, drains ? 0 : 1, 10));
    }

    private NodeChange later(String what, Runnable work) {
        if (asked.merge(what, 1, Integer::sum) % 2 == 1) {
            return NodeChange.running(1, 2, what + " is under way");
        }
        work.run();
        return NodeChange.done(2, what + " is done");
    }

    private ClusterNode require(String node) {
        ClusterNode found = known.get(node);
        if (found == null) {
            throw new StorageException(
                    ErrorCode.INVALID_REQUEST,
                    "there is no node " + node + "; the nodes are " + known.keySet());
        }
        return found;
    }

    @Override
    public List<ClusterNode> nodes() {
        return List.copyOf(known.values());
    }

    @Override
    public NodeChange add(NodeAddress node) {
        return later("adding " + node.id(), () -> put(node, false));
    }

    @Override
    public NodeChange remove(String node) {
        require(node);
        return later("removing " + node, () -> known.remove(node));
    }

    @Override
    public NodeChange drain(String node) {
        ClusterNode found = require(node);
        return later("draining " + node, () -> put(found.address(), true));
    }

    @Override
    public NodeChange endDrain(String node) {
        ClusterNode found = require(node);
        return later("ending the drain of " + node, () -> put(found.address(), false));
    }

    @Override
    public NodeChange rebalance() {
        return later("rebalancing", () -> {});
    }

    @Override
    public ClusterAdmin clusterAdmin() {
        return this;
    }

    @Override
    public TableAdmin admin() {
        return owner.admin();
    }

    @Override
    public LogAppender logAppender() {
        return owner.logAppender();
    }

    @Override
    public LogReader logReader() {
        return owner.logReader();
    }

    @Override
    public KvWriter kvWriter() {
        return owner.kvWriter();
    }

    @Override
    public KvReader kvReader() {
        return owner.kvReader();
    }

    @Override
    public LakeProgress lakeProgress() {
        return owner.lakeProgress();
    }

    @Override
    public void close() {
        // the test closes the owner
    }
}

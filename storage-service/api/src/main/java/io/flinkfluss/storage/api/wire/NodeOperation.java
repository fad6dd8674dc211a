package io.flinkfluss.storage.api.wire;

import io.flinkfluss.storage.api.ClusterAdmin;
import io.flinkfluss.storage.api.StorageService;
import io.flinkfluss.storage.api.cluster.ClusterNode;
import io.flinkfluss.storage.api.cluster.NodeAddress;
import io.flinkfluss.storage.api.cluster.NodeChange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Operations on the nodes of the cluster; they go to the metadata group's leader. */
public sealed interface NodeOperation<A> extends AdminOperation<A> {
    AnswerCodec<NodeChange> CHANGE =
            new AnswerCodec<>(NodeOperation::putChange, NodeOperation::takeChange);
    AnswerCodec<List<ClusterNode>> NODES =
            new AnswerCodec<>(NodeOperation::putNodes, NodeOperation::takeNodes);

    AnswerCodec<A> answer();

    A execute(ClusterAdmin admin);

    @Override
    default void writeAnswer(WireOutput output, A answer) {
        answer().writer().accept(output, answer);
    }

    @Override
    default A readAnswer(WireInput input) {
        return answer().reader().apply(input);
    }

    @Override
    default A execute(StorageService service, Supplier<ClusterView> cluster) {
        return execute(service.clusterAdmin());
    }

    /** Each call continues the change or tells that it is done. */
    @Override
    default boolean isRepeatable() {
        return true;
    }

    /** {@code fluss.list-nodes} */
    record ListNodes() implements NodeOperation<List<ClusterNode>> {
        @Override
        public void write(WireOutput output) {}

        @Override
        public AnswerCodec<List<ClusterNode>> answer() {
            return NODES;
        }

        @Override
        public List<ClusterNode> execute(ClusterAdmin admin) {
            return admin.nodes();
        }
    }

    /** {@code fluss.add-node} */
    record AddNode(NodeAddress node) implements NodeOperation<NodeChange> {
        static AddNode read(WireInput input) {
            return new AddNode(takeAddress(input));
        }

        @Override
        public void write(WireOutput output) {
            putAddress(output, node);
        }

        @Override
        public AnswerCodec<NodeChange> answer() {
            return CHANGE;
        }

        @Override
        public NodeChange execute(ClusterAdmin admin) {
            return admin.add(node);
        }
    }

    /** {@code fluss.remove-node} */
    record RemoveNode(String node) implements NodeOperation<NodeChange> {
        @Override
        public void write(WireOutput output) {
            output.writeString(node);
        }

        @Override
        public AnswerCodec<NodeChange> answer() {
            return CHANGE;
        }

        @Override
        public NodeChange execute(ClusterAdmin admin) {
            return admin.remove(node);
        }
    }

    /** {@code fluss.drain-node} */
    record DrainNode(String node) implements NodeOperation<NodeChange> {
        @Override
        public void write(WireOutput output) {
            output.writeString(node);
        }

        @Override
        public AnswerCodec<NodeChange> answer() {
            return CHANGE;
        }

        @Override
        public NodeChange execute(ClusterAdmin admin) {
            return admin.drain(node);
        }
    }

    /** {@code fluss.end-drain} */
    record EndDrain(String node) implements NodeOperation<NodeChange> {
        @Override
        public void write(WireOutput output) {
            output.writeString(node);
        }

        @Override
        public AnswerCodec<NodeChange> answer() {
            return CHANGE;
        }

        @Override
        public NodeChange execute(ClusterAdmin admin) {
            return admin.endDrain(node);
        }
    }

    /** {@code fluss.rebalance} */
    record Rebalance() implements NodeOperation<NodeChange> {
        @Override
        public void write(WireOutput output) {}

        @Override
        public AnswerCodec<NodeChange> answer() {
            return CHANGE;
        }

        @Override
        public NodeChange execute(ClusterAdmin admin) {
            return admin.rebalance();
        }
    }

    private static void putAddress(WireOutput output, NodeAddress node) {
        output.writeString(node.id()).writeString(node.host());
        output.writeVarint(node.port()).writeVarint(node.raftPort());
    }

    private static NodeAddress takeAddress(WireInput input) {
        String id = input.readString();
        String host = input.readString();
        int port = input.readVarintAsInt();
        int raftPort = input.readVarintAsInt();
        try {
            return new NodeAddress(id, host, port, raftPort);
        } catch (IllegalArgumentException wrong) {
            throw input.corrupt(wrong.getMessage());
        }
    }

    private static void putNodes(WireOutput output, List<ClusterNode> nodes) {
        output.writeVarint(nodes.size());
        for (ClusterNode node : nodes) {
            putAddress(output, node.address());
            output.writeBoolean(node.isDraining())
                    .writeVarint(node.replicas())
                    .writeVarint(node.leads())
                    .writeVarint(node.writtenBytesPerSecond());
        }
    }

    private static List<ClusterNode> takeNodes(WireInput input) {
        int count = input.readCount();
        List<ClusterNode> nodes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            nodes.add(
                    new ClusterNode(
                            takeAddress(input),
                            input.readBoolean(),
                            input.readVarintAsInt(),
                            input.readVarintAsInt(),
                            input.readVarint()));
        }
        return nodes;
    }

    private static void putChange(WireOutput output, NodeChange change) {
        output.writeBoolean(change.isDone())
                .writeVarint(change.done())
                .writeVarint(change.total())
                .writeString(change.detail());
    }

    private static NodeChange takeChange(WireInput input) {
        NodeChange.State state =
                input.readBoolean() ? NodeChange.State.DONE : NodeChange.State.RUNNING;
        return new NodeChange(
                state, input.readVarintAsInt(), input.readVarintAsInt(), input.readString());
    }
}

package io.flinkfluss.verify.fault;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.ClusterOperation;
import io.flinkfluss.storage.api.wire.ClusterView;
import io.flinkfluss.storage.client.transport.ClientThreads;
import io.flinkfluss.storage.client.transport.NodeChannel;
import io.flinkfluss.storage.client.transport.NodeChannels;
import io.flinkfluss.verify.cluster.Cluster;
import io.flinkfluss.verify.cluster.Node;
import java.time.Duration;
import java.util.Optional;

/** Asks the nodes themselves, past all proxies, who leads what. */
public final class Leaders implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final ClientThreads threads = new ClientThreads();
    private final NodeChannels channels = new NodeChannels(PATIENCE, threads.callbacks());

    public Leaders(Cluster cluster) {
        this.cluster = cluster;
    }

    /** What the nodes that answer know together. */
    public ClusterView view() {
        ClusterView merged = ClusterView.EMPTY;
        for (Node node : cluster.nodes()) {
            if (node.isReady()) {
                Optional<ClusterView> view = ask(node);
                if (view.isPresent()) {
                    merged = merged.mergedWith(view.get());
                }
            }
        }
        return merged;
    }

    /** The node that leads a shard; empty while none is known. */
    public Optional<Node> leader(int shard) {
        ClusterView view = view();
        if (view.shardCount() == 0) {
            return Optional.empty();
        }
        String leader = view.shards().get(shard % view.shardCount()).leader();
        return cluster.nodes().stream().filter(node -> node.id().equals(leader)).findFirst();
    }

    /** A channel to the process itself. */
    public NodeChannel channel(Node node) {
        return channels.to(node.address().directAddress());
    }

    private Optional<ClusterView> ask(Node node) {
        ClusterOperation.DescribeCluster question = new ClusterOperation.DescribeCluster();
        try {
            NodeChannel channel = channel(node);
            channel.reconnectNow();
            return channel.ask(question.toAction(), PATIENCE, NodeChannel.Repeat.ALLOWED)
                    .await(PATIENCE)
                    .map(question::decodeAnswer);
        } catch (StorageException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        channels.close();
        threads.close();
    }
}

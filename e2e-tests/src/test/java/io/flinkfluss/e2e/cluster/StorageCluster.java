package io.flinkfluss.e2e.cluster;

import io.flinkfluss.storage.api.error.StorageException;
import io.flinkfluss.storage.api.wire.ClusterOperation;
import io.flinkfluss.storage.api.wire.ClusterView;
import io.flinkfluss.storage.client.transport.NodeChannel;
import io.flinkfluss.storage.client.transport.NodeChannels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Several storage processes that form a cluster; each can be killed, put to sleep and restarted.
 */
public final class StorageCluster implements AutoCloseable {
    private static final Duration ANSWER = Duration.ofSeconds(5);

    private final Map<String, StorageProcess> nodes = new TreeMap<>();
    private final Map<String, String> peers = new TreeMap<>();
    private final Path folder;
    private final List<String> settings;
    private final NodeChannels channels = new NodeChannels(ANSWER, Runnable::run);

    /** Starts nodes n1, n2, … and waits until all serve. */
    public static StorageCluster start(Path folder, int count, String... settings) {
        StorageCluster cluster = of(folder, count, settings);
        cluster.start();
        return cluster;
    }

    /** Nodes that are not started yet. */
    public static StorageCluster of(Path folder, int count, String... settings) {
        return new StorageCluster(folder, count, settings);
    }

    private StorageCluster(Path folder, int count, String... settings) {
        this.folder = folder;
        this.settings = List.of(settings);
        Map<String, Integer> ports = new TreeMap<>();
        for (int i = 1; i <= count; i++) {
            ports.put("n" + i, newPeer("n" + i));
        }
        ports.forEach((id, port) -> nodes.put(id, process(id, port)));
    }

    private int newPeer(String id) {
        int port = StorageProcess.freePort();
        peers.put(id, id + "@127.0.0.1:" + port + ":" + StorageProcess.freePort());
        return port;
    }

    private StorageProcess process(String id, int port) {
        List<String> arguments = new ArrayList<>(settings);
        arguments.addAll(List.of("--node-id", id, "--peers", String.join(",", peers.values())));
        return StorageProcess.of(folder.resolve(id), port, arguments);
    }

    /** Starts a further node with an empty directory, which waits to be added. */
    public StorageProcess launchNewcomer(String id) {
        StorageProcess process = process(id, newPeer(id));
        nodes.put(id, process);
        process.launch();
        return process;
    }

    /** As in {@code --peers}. */
    public String peer(String id) {
        return peers.get(id);
    }

    /** Starts all nodes and waits until all serve. */
    public void start() {
        nodes.values().forEach(StorageProcess::launch);
        nodes.values().forEach(StorageProcess::awaitReady);
    }

    /** Addresses of all nodes, as bootstrap servers. */
    public String addresses() {
        return nodes.values().stream()
                .map(StorageProcess::address)
                .collect(Collectors.joining(","));
    }

    /** In the order of their ids. */
    public List<StorageProcess> nodes() {
        return List.copyOf(nodes.values());
    }

    public StorageProcess node(String id) {
        return nodes.get(id);
    }

    /** What a node that answers says about who leads what. */
    public ClusterView view() {
        ClusterOperation.DescribeCluster question = new ClusterOperation.DescribeCluster();
        RuntimeException last = null;
        for (StorageProcess node : nodes.values()) {
            try {
                return question.decodeAnswer(
                        channel(node)
                                .ask(question.toAction(), ANSWER, NodeChannel.Repeat.ALLOWED)
                                .await(ANSWER)
                                .orElseThrow());
            } catch (StorageException | NoSuchElementException silent) {
                last = silent;
            }
        }
        throw last;
    }

    /** A connection to just this node, which follows no leader. */
    public NodeChannel channel(StorageProcess node) {
        return channels.to(node.address());
    }

    @Override
    public void close() {
        channels.close();
        RuntimeException failure = null;
        for (StorageProcess node : nodes.values()) {
            try {
                node.close();
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}

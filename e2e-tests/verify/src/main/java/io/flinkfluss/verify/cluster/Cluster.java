package io.flinkfluss.verify.cluster;

import io.flinkfluss.verify.network.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All nodes. They and their disks are ended by {@link #close}, whatever happened before. */
public final class Cluster implements AutoCloseable {
    private static final String LISTEN = "127.0.0.1";
    private static final String PUBLIC = "127.0.1.";

    private final List<Node> nodes = new ArrayList<>();
    private final String withoutOwnDisks;

    private Cluster(String withoutOwnDisks) {
        this.withoutOwnDisks = withoutOwnDisks;
    }

    /** Prepares the nodes; none is started. Data is below the folder. */
    public static Cluster create(int nodes, Path folder, ServerProgram program) {
        String whyNot = whyNoOwnDisks(folder);
        Cluster cluster = new Cluster(whyNot);
        List<NodeAddress> addresses = new ArrayList<>();
        for (int i = 1; i <= nodes; i++) {
            String publicHost = PUBLIC + i;
            addresses.add(
                    new NodeAddress(
                            "n" + i,
                            LISTEN,
                            canListen(publicHost) ? publicHost : LISTEN,
                            port(publicHost),
                            port(publicHost)));
        }
        try {
            for (NodeAddress address : addresses) {
                Disk disk =
                        whyNot.isEmpty()
                                ? LoopDisk.create(
                                        folder.resolve(address.id() + ".img"),
                                        folder.resolve(address.id()))
                                : new FolderDisk(folder.resolve(address.id()));
                cluster.nodes.add(new Node(address, addresses, program, disk, folder));
            }
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    public List<Node> nodes() {
        return List.copyOf(nodes);
    }

    public Node node(String id) {
        return nodes.stream().filter(node -> node.id().equals(id)).findFirst().orElseThrow();
    }

    /** Why nodes have no file systems of their own; empty when they have. */
    public String withoutOwnDisks() {
        return withoutOwnDisks;
    }

    /** Whether proxies can stand between the nodes. */
    public boolean hasPublicAddresses() {
        return nodes.stream().noneMatch(node -> node.address().publicHost().equals(LISTEN));
    }

    /** As a client's bootstrap servers. */
    public String bootstrapServers() {
        return String.join(
                ",", nodes.stream().map(node -> node.address().publicAddress()).toList());
    }

    public boolean allReady() {
        return nodes.stream().allMatch(Node::isReady);
    }

    @Override
    public void close() {
        for (Node node : nodes) {
            node.kill();
        }
        for (Node node : nodes) {
            node.disk().close();
        }
    }

    private static String whyNoOwnDisks(Path folder) {
        if (!System.getProperty("os.name").equals("Linux")) {
            return "file systems in files are mounted on Linux only";
        }
        if (!Shell.attempt("id", "-u").output().equals("0")) {
            return "mounting file systems needs root";
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return LoopDisk.whyNot(folder);
    }

    private static int port(String publicHost) {
        return canListen(publicHost) ? Ports.free(LISTEN, publicHost) : Ports.free(LISTEN);
    }

    private static boolean canListen(String host) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(host, 0));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

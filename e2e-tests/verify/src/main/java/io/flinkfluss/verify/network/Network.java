package io.flinkfluss.verify.network;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * All ways between clients and nodes. Bytes of a direction that is cut stand still, in connections
 * that exist and in new ones, and go on when it is healed, as TCP does when packets get through
 * again; nobody is told. Any thread may use it.
 */
public final class Network implements AutoCloseable {
    /** The name of whoever is not a node. */
    public static final String CLIENTS = "clients";

    private final SocketOwners owners;
    private final Map<Direction, Way> ways = new HashMap<>();
    private final List<Proxy> proxies = new ArrayList<>();

    /** Bytes that travel from one to another. */
    private record Direction(String from, String to) {}

    /**
     * @param owners tells which node a connection comes from
     */
    public Network(SocketOwners owners) {
        this.owners = owners;
    }

    /**
     * Puts a proxy before a port of a node.
     *
     * @param lives whether the node's process runs
     */
    public void open(
            String node,
            InetSocketAddress listen,
            InetSocketAddress target,
            BooleanSupplier lives) {
        proxies.add(
                Proxy.start(
                        listen,
                        target,
                        lives,
                        client -> {
                            String from = from(client);
                            return new Proxy.Ways(way(from, node), way(node, from));
                        }));
    }

    /** Stops bytes from one to the other. */
    public void cut(String from, String to) {
        way(from, to).cut();
    }

    /** Makes bytes from one to the other take longer. */
    public void delay(String from, String to, Duration delay) {
        way(from, to).delay(delay);
    }

    /** Ends all cuts and delays. */
    public synchronized void heal() {
        ways.values().forEach(Way::heal);
    }

    @Override
    public void close() {
        heal();
        proxies.forEach(Proxy::close);
    }

    private String from(Socket client) {
        return owners.nodeOf(client.getPort()).orElse(CLIENTS);
    }

    private synchronized Way way(String from, String to) {
        return ways.computeIfAbsent(new Direction(from, to), unused -> new Way());
    }
}

package io.flinkfluss.verify.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Hands the bytes of every connection on to another address, two threads for each. Listens only
 * while somebody listens there, so that a connection to a dead node is refused as usual.
 */
final class Proxy implements AutoCloseable {
    private static final int BUFFER = 64 << 10;
    private static final int CONNECT_MILLIS = 5_000;
    private static final int BACKLOG = 200;
    private static final long LOOK_MILLIS = 25;

    private final InetSocketAddress address;
    private final InetSocketAddress target;
    private final BooleanSupplier targetLives;
    private final Function<Socket, Ways> waysOf;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** The two directions of one connection. */
    record Ways(Way forth, Way back) {}

    private Proxy(
            InetSocketAddress address,
            InetSocketAddress target,
            BooleanSupplier targetLives,
            Function<Socket, Ways> waysOf) {
        this.address = address;
        this.target = target;
        this.targetLives = targetLives;
        this.waysOf = waysOf;
    }

    /**
     * Begins to serve as soon as the target does.
     *
     * @param targetLives whether the target's process runs
     */
    static Proxy start(
            InetSocketAddress address,
            InetSocketAddress target,
            BooleanSupplier targetLives,
            Function<Socket, Ways> waysOf) {
        Proxy proxy = new Proxy(address, target, targetLives, waysOf);
        thread("verify-proxy-" + address.getPort(), proxy::follow);
        return proxy;
    }

    /** Listens while the target does. */
    private void follow() {
        ServerSocket listening = null;
        try {
            while (!closed) {
                boolean lives = targetLives.getAsBoolean();
                if (listening == null && lives && answers()) {
                    ServerSocket socket = new ServerSocket();
                    socket.setReuseAddress(true);
                    socket.bind(address, BACKLOG);
                    listening = socket;
                    thread("verify-accept-" + address.getPort(), () -> accept(socket));
                } else if (listening != null && !lives) {
                    listening.close();
                    listening = null;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
            if (listening != null) {
                listening.close();
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("the proxy at " + address + " failed", e);
        }
    }

    private boolean answers() {
        try (Socket probe = new Socket()) {
            probe.connect(target, CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void accept(ServerSocket listening) {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                open.add(client);
                thread("verify-connect-" + client.getPort(), () -> connect(client));
            } catch (IOException e) {
                // Closed, or one connection that ended too early.
                continue;
            }
        }
    }

    private void connect(Socket client) {
        Socket server = new Socket();
        open.add(server);
        byte[] first = new byte[BUFFER];
        int length;
        Ways ways;
        try {
            // Nodes try each other's ports several times a second; whoever says nothing is nobody,
            // and finding out who somebody is takes time. Clients of gRPC speak first.
            length = client.getInputStream().read(first);
            if (length < 0) {
                end(client, server);
                return;
            }
            ways = waysOf.apply(client);
            // The beginning of a connection needs both directions.
            ways.forth().pass();
            ways.back().pass();
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(target, CONNECT_MILLIS);
            server.getOutputStream().write(first, 0, length);
        } catch (IOException | InterruptedException e) {
            end(client, server);
            return;
        }
        thread("verify-forth-" + client.getPort(), () -> pump(client, server, ways.forth()));
        pump(server, client, ways.back());
    }

    private void pump(Socket from, Socket to, Way way) {
        byte[] buffer = new byte[BUFFER];
        try {
            InputStream input = from.getInputStream();
            OutputStream output = to.getOutputStream();
            for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
                way.pass();
                output.write(buffer, 0, length);
            }
        } catch (IOException e) {
            // One side is gone; the other learns of it when the way is free.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        awaitPassage(way);
        end(from, to);
    }

    private static void awaitPassage(Way way) {
        try {
            way.pass();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(Socket one, Socket other) {
        for (Socket socket : new Socket[] {one, other}) {
            open.remove(socket);
            try {
                socket.close();
            } catch (IOException e) {
                // It is closed.
                continue;
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        open.forEach(socket -> end(socket, socket));
    }

    private static void thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}

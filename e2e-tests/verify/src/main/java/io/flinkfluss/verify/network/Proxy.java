package io.flinkfluss.verify.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Hands the bytes of every connection on to another address, two threads for each. */
final class Proxy implements AutoCloseable {
    private static final int BUFFER = 64 << 10;
    private static final int CONNECT_MILLIS = 5_000;

    private final ServerSocket listening;
    private final InetSocketAddress target;
    private final Function<Socket, Ways> waysOf;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** The two directions of one connection. */
    record Ways(Way forth, Way back) {}

    private Proxy(ServerSocket listening, InetSocketAddress target, Function<Socket, Ways> waysOf) {
        this.listening = listening;
        this.target = target;
        this.waysOf = waysOf;
    }

    static Proxy start(
            InetSocketAddress listen, InetSocketAddress target, Function<Socket, Ways> waysOf)
            throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(listen);
        Proxy proxy = new Proxy(socket, target, waysOf);
        thread("verify-accept-" + listen.getPort(), proxy::accept);
        return proxy;
    }

    private void accept() {
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
        Ways ways = waysOf.apply(client);
        Socket server = new Socket();
        open.add(server);
        try {
            // The beginning of a connection needs both directions.
            ways.forth().pass();
            ways.back().pass();
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(target, CONNECT_MILLIS);
        } catch (IOException | InterruptedException e) {
            end(client, server);
            return;
        }
        thread("verify-forth-" + client.getPort(), () -> pump(client, server, ways.forth()));
        thread("verify-back-" + client.getPort(), () -> pump(server, client, ways.back()));
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
            // The end of a connection does not get through a cut either.
            way.pass();
        } catch (IOException | InterruptedException e) {
            awaitPassage(way);
        }
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
        try {
            listening.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        open.forEach(socket -> end(socket, socket));
    }

    private static void thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}

package io.flinkfluss.benchmarks.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Free ports of the loopback address. */
final class Ports {
    static final String HOST = "127.0.0.1";

    private static final int FIRST = 12_000;
    private static final int END = 32_000;

    private Ports() {}

    /**
     * Different ports that nobody listens on now, below those that the kernel gives to outgoing
     * connections.
     */
    static List<Integer> free(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            try {
                while (sockets.size() < count) {
                    listen().ifPresent(sockets::add);
                }
                return sockets.stream().map(ServerSocket::getLocalPort).toList();
            } finally {
                for (ServerSocket socket : sockets) {
                    socket.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<ServerSocket> listen() throws IOException {
        int port = ThreadLocalRandom.current().nextInt(FIRST, END);
        try {
            return Optional.of(new ServerSocket(port, 1, InetAddress.getByName(HOST)));
        } catch (BindException taken) {
            return Optional.empty();
        }
    }
}

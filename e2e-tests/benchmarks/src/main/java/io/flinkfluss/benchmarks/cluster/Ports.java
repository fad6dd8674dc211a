package io.flinkfluss.benchmarks.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Free ports of the loopback address. */
final class Ports {
    static final String HOST = "127.0.0.1";

    private Ports() {}

    /** Different ports that nobody listens on now. */
    static List<Integer> free(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            try {
                for (int i = 0; i < count; i++) {
                    sockets.add(new ServerSocket(0, 1, InetAddress.getByName(HOST)));
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
}

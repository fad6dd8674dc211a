package io.flinkfluss.cli.runtime;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Ports of the loopback interface. */
public final class Ports {
    private static final int CONNECT_MILLIS = 500;

    private Ports() {}

    public static boolean isFree(int port) {
        try (Socket socket = new Socket()) {
            // something may listen on one address only, so a bind is not enough to know
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            return false;
        } catch (IOException e) {
            try (ServerSocket probe = new ServerSocket()) {
                probe.setReuseAddress(true);
                probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return true;
            } catch (IOException busy) {
                return false;
            }
        }
    }

    /** The wanted port when it is free, else any free one. */
    public static int freeNear(int wanted) {
        return isFree(wanted) ? wanted : anyFree();
    }

    public static int anyFree() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        } catch (IOException e) {
            throw new CliException("no free port on the loopback interface: " + e.getMessage(), e);
        }
    }

    /**
     * @param option the option that chooses another port
     * @throws CliException when something listens on the port
     */
    public static void requireFree(int port, String purpose, String option) {
        if (!isFree(port)) {
            throw new CliException(
                    "port "
                            + port
                            + " for "
                            + purpose
                            + " is in use by another process; stop that process or choose another"
                            + " port with "
                            + option);
        }
    }
}

package io.flinkfluss.benchmarks.driver;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.locks.LockSupport;

/** Waits for servers that are being started. */
public final class Addresses {
    private static final int CONNECT_MILLIS = 500;
    private static final long RETRY_NANOS = 10_000_000;

    private Addresses() {}

    /**
     * Returns when somebody listens on each. A port that refuses is asked often and costs nothing;
     * a client that is refused may back off.
     *
     * @param addresses {@code host:port}, several with commas between
     */
    public static void await(String addresses, Deadline deadline) {
        for (String address : addresses.split(",")) {
            awaitOne(address, deadline);
        }
    }

    private static void awaitOne(String address, Deadline deadline) {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        int port = Integer.parseInt(address.substring(colon + 1));
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
                return;
            } catch (IOException notYet) {
                deadline.check("nobody listens on " + address);
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }
}

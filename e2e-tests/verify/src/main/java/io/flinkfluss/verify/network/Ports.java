package io.flinkfluss.verify.network;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that are killed and started again. They lie below those that the kernel gives
 * to outgoing connections (from 32,768 on, on Linux): one of them might take a port while its
 * server is down.
 */
public final class Ports {
    private static final int FIRST = 12_000;
    private static final int END = 32_000;
    private static final int TRIES = 1_000;

    private Ports() {}

    /** A port that nobody listens on now at any of these addresses of this machine. */
    public static int free(String... hosts) {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (List.of(hosts).stream().allMatch(host -> isFree(host, port))) {
                return port;
            }
        }
        throw new IllegalStateException(
                "none of "
                        + TRIES
                        + " ports from "
                        + FIRST
                        + " to "
                        + (END - 1)
                        + " is free on "
                        + String.join(" and ", hosts));
    }

    private static boolean isFree(String host, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(host, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

package io.flinkfluss.storage.api.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback address for servers that tests start, and start again after they killed
 * them. They lie below those that the kernel gives to outgoing connections (from 32,768 on, on
 * Linux), any of which may have taken a port before its server listens there again.
 */
public final class FreePorts {
    private static final int FIRST = 12_000;
    private static final int END = 32_000;
    private static final int TRIES = 1_000;
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    /** A port that nobody listens on now, and that this process was not given before. */
    public static int next() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                if (GIVEN.add(probe.getLocalPort())) {
                    return port;
                }
            } catch (BindException taken) {
                continue;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalStateException(
                "none of " + TRIES + " ports from " + FIRST + " to " + (END - 1) + " is free");
    }
}

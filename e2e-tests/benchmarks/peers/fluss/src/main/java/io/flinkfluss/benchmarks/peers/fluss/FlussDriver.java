package io.flinkfluss.benchmarks.peers.fluss;

import io.flinkfluss.benchmarks.driver.DriverProgram;

/** The process of the driver of Apache Fluss. */
public final class FlussDriver {
    private FlussDriver() {}

    public static void main(String[] arguments) {
        DriverProgram.main(PeerClient::connect);
    }
}

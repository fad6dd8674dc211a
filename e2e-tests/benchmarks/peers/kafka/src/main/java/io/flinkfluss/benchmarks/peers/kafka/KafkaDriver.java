package io.flinkfluss.benchmarks.peers.kafka;

import io.flinkfluss.benchmarks.driver.DriverProgram;

/** The process of the driver of Apache Kafka. */
public final class KafkaDriver {
    private KafkaDriver() {}

    public static void main(String[] arguments) {
        DriverProgram.main(PeerClient::connect);
    }
}

package io.flinkfluss.benchmarks.driver;

import java.util.Map;

/**
 * What a client connects to.
 *
 * @param addresses where clients begin: {@code host:port}, several with commas between
 * @param nodes that hold data, numbered from 1; every table gets a replica on each
 * @param options of the client, by the system's own names
 */
public record Servers(String addresses, int nodes, Map<String, String> options) {
    public Servers {
        options = Map.copyOf(options);
    }
}

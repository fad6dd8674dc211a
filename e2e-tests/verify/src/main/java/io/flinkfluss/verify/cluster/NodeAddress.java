package io.flinkfluss.verify.cluster;

/**
 * Where a node listens and where others find it. Both have the same ports, on two addresses of the
 * loopback network, so that a proxy can stand between.
 *
 * @param listenHost where the process listens
 * @param publicHost where clients and peers connect to
 */
public record NodeAddress(String id, String listenHost, String publicHost, int port, int raftPort) {
    /** As in {@code --peers}. */
    public String asPeer() {
        return id + "@" + publicHost + ":" + port + ":" + raftPort;
    }

    public String publicAddress() {
        return publicHost + ":" + port;
    }

    /** Reaches the process itself, whatever the network does. */
    public String directAddress() {
        return listenHost + ":" + port;
    }
}

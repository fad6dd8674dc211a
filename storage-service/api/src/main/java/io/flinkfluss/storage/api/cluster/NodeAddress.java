package io.flinkfluss.storage.api.cluster;

/**
 * A node and where it is reached.
 *
 * @param id never used by two nodes of a cluster at once
 * @param port where clients reach it
 * @param raftPort where the other nodes reach it; 0 when they cannot
 */
public record NodeAddress(String id, String host, int port, int raftPort) {
    private static final int LARGEST_PORT = 65_535;

    public NodeAddress {
        if (id.isEmpty() || id.length() > 64 || !id.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException(
                    "a node's id has 1 to 64 letters, digits, '.', '_' or '-', not '" + id + "'");
        }
        if (host.isEmpty() || !isPort(port) || !isPort(raftPort)) {
            throw new IllegalArgumentException(
                    "node " + id + " is at no address: " + host + ":" + port + ":" + raftPort);
        }
    }

    /**
     * Reads {@code id@host:port:raftport}.
     *
     * @throws IllegalArgumentException saying how it is written
     */
    public static NodeAddress parse(String text) {
        int at = text.indexOf('@');
        String[] parts = text.substring(at + 1).split(":", -1);
        try {
            if (at >= 1 && parts.length == 3) {
                return new NodeAddress(
                        text.substring(0, at),
                        parts[0],
                        Integer.parseInt(parts[1]),
                        Integer.parseInt(parts[2]));
            }
        } catch (NumberFormatException notANumber) {
            // told below
        }
        throw new IllegalArgumentException(
                "a node is written ID@HOST:PORT:RAFTPORT, for example n4@10.0.0.4:9123:9124, not "
                        + text);
    }

    /** Where clients reach it. */
    public String endpoint() {
        return host + ":" + port;
    }

    @Override
    public String toString() {
        return id + "@" + host + ":" + port + ":" + raftPort;
    }

    private static boolean isPort(int number) {
        return number >= 0 && number <= LARGEST_PORT;
    }
}

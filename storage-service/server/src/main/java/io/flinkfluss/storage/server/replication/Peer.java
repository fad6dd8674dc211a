package io.flinkfluss.storage.server.replication;

/**
 * A node that holds a replica of every group.
 *
 * @param port where clients reach it
 * @param raftPort where the other nodes reach it; 0 lets a node without others choose
 */
public record Peer(String id, String host, int port, int raftPort) {
    /** Reads {@code id@host:port:raftport}. */
    public static Peer parse(String text) {
        int at = text.indexOf('@');
        String[] parts = text.substring(at + 1).split(":", -1);
        if (at < 1 || parts.length != 3 || parts[0].isEmpty()) {
            throw notAPeer(text);
        }
        try {
            return new Peer(
                    text.substring(0, at),
                    parts[0],
                    Integer.parseInt(parts[1]),
                    Integer.parseInt(parts[2]));
        } catch (NumberFormatException notANumber) {
            throw notAPeer(text);
        }
    }

    private static IllegalArgumentException notAPeer(String text) {
        return new IllegalArgumentException(
                "a peer is written id@host:port:raftport, for example n1@10.0.0.1:9123:9124, not "
                        + text);
    }
}
